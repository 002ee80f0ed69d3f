import { invalid } from '../../kernel/refusal.ts'
import * as store from '../../modules/accounts/store.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { hasLiveExported, lockExports } from '../../modules/payouts/export-store.ts'
import { now, realNow } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { parkTasks, unparkTasks } from '../../platform/jobs/parked-tasks.ts'
import { wake } from '../../platform/jobs/wake.ts'

/** The timeout is in milliseconds. It exceeds 20 s, because a hold waits for running operations, each of which can take 20 s. */
const patience = { timeout: 60_000 }

/**
 * Puts a storefront on hold in both modes. Running transactions commit, and afterward the storefront does not change.
 * Operations on the storefront get the same response as when the database is unavailable. A repeated hold changes
 * nothing. Refuses with `validation_failed` on `storefront` while its test clock advances. Also refuses while a bank
 * file has a payout of the storefront that is not marked as paid or returned. Returns whether this call put the
 * storefront on hold.
 */
export async function hold(storefrontId: string): Promise<boolean> {
  return db().$transaction(async (sql) => {
    // This lock waits for a bank file that is being created, so that the payouts of the file are checked below. Later
    // bank files contain no payout of this storefront.
    await lockExports(sql)
    const { heldAt, isAdvancing } = await locked(sql, storefrontId)
    if (heldAt !== null) return false
    if (isAdvancing)
      throw invalid('storefront', 'The test clock of the storefront is being advanced. Try again after the advance.')
    if (await hasLiveExported(sql, storefrontId))
      throw invalid(
        'storefront',
        'A bank file contains unmarked payouts of the storefront. Mark the payouts first (`payout mark`).',
      )
    await store.holdStorefront(sql, storefrontId, realNow())
    await parkTasks(sql, storefrontId)
    await writeAudit(sql, commandLine(), {
      action: 'storefront.hold',
      subject: storefrontId,
      before: null,
      after: null,
    })
    return true
  }, patience)
}

/**
 * Ends the hold of a storefront. Waiting renewals are charged once, as after a suspension. Refuses with
 * `validation_failed` on `storefront` if the storefront is not on hold.
 */
export async function release(storefrontId: string): Promise<{ storefrontId: string; heldSince: Date }> {
  const released = await db().$transaction(async (sql) => {
    const { heldAt } = await locked(sql, storefrontId)
    if (heldAt === null) throw invalid('storefront', 'The storefront is not on hold.')
    const testAt = await now(sql, { storefrontId, testmode: true })
    await store.releaseStorefront(sql, storefrontId, { at: realNow(), testAt })
    await unparkTasks(sql, storefrontId)
    await writeAudit(sql, commandLine(), {
      action: 'storefront.release',
      subject: storefrontId,
      before: { heldSince: heldAt },
      after: null,
    })
    return { storefrontId, heldSince: heldAt }
  }, patience)
  wake()
  return released
}

/** Thrown if a failed export could not release its own hold. The operator must then release the hold. */
export class StillOnHold extends Error {
  override name = 'StillOnHold'
}

async function locked(sql: Sql, storefrontId: string) {
  const found = await store.lockForHold(sql, storefrontId)
  if (!found) throw invalid('storefront', 'There is no storefront with this id.')
  return found
}
