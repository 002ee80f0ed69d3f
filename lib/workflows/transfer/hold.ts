import { invalid } from '../../kernel/refusal.ts'
import * as store from '../../modules/accounts/store.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { hasLiveExported, lockExports } from '../../modules/payouts/export-store.ts'
import { now, realNow } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { parkTasks, unparkTasks } from '../../platform/jobs/parked-tasks.ts'
import { wake } from '../../platform/jobs/wake.ts'

/** A hold waits for running operations, each of which may take 20 s. */
const patience = { timeout: 60_000 }

/**
 * In both modes. Running transactions commit, and from then on the storefront does not change. Operations on it get the
 * same response as when the database is unavailable. Repeating the hold changes nothing. Refuses `validation_failed` on
 * `storefront` while its test clock advances, or while a bank file has a payout of the storefront that is not marked.
 * Returns whether this call put the storefront on hold.
 */
export async function hold(storefrontId: string): Promise<boolean> {
  return db().$transaction(async (sql) => {
    // Waits for a bank file in progress; later bank files contain no payout of this storefront.
    await lockExports(sql)
    const { heldAt, isAdvancing } = await locked(sql, storefrontId)
    if (heldAt !== null) return false
    if (isAdvancing) throw invalid('storefront', 'Its test clock is being advanced: try again once it stands.')
    if (await hasLiveExported(sql, storefrontId))
      throw invalid('storefront', 'A bank file has payouts of the storefront: mark them (`payout mark`) first.')
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
 * The storefront continues here. Waiting renewals are charged once, and their period begins now, as after a suspension.
 * Refuses `validation_failed` on `storefront` if it is not on hold.
 */
export async function release(storefrontId: string): Promise<{ storefrontId: string; heldSince: Date }> {
  const released = await db().$transaction(async (sql) => {
    const { heldAt } = await locked(sql, storefrontId)
    if (heldAt === null) throw invalid('storefront', 'It is not on hold.')
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

/** A failed export left its own hold on the storefront. The operator must know. */
export class StillOnHold extends Error {
  override name = 'StillOnHold'
}

async function locked(sql: Sql, storefrontId: string) {
  const found = await store.lockForHold(sql, storefrontId)
  if (!found) throw invalid('storefront', 'There is no storefront with this id.')
  return found
}
