import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { type Currency, formatMoney, sum } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { sepaReference, sepaText } from '../../kernel/sepa.ts'
import { now as timeOf } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { requireStorefront } from '../accounts/store.ts'
import { commandLine } from '../audit/command-line.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { writeAudit } from '../audit/write.ts'
import {
  type Batch,
  findBatch,
  insertBatch,
  lockExports,
  openBatch,
  type PayoutScope,
  requestedPayouts,
} from './export-store.ts'
import { type AccountDetails, accountsAt, type PayoutAccount } from './rules/account.ts'
import { creditTransfersXml } from './rules/credit-transfers.ts'
import type { Payout } from './store.ts'

/** The maximum per file, below the limits of banks. The next file has the rest. */
const mostPayments = 2_000

interface Exported {
  readonly batch: Batch
  /** False if an earlier export made this file. */
  readonly isNew: boolean
}

/**
 * Makes the bank file for the requested payouts. Returns the last file again while one of its payouts is neither confirmed nor returned,
 * so a repeated or parallel command pays nothing twice. Payouts of a storefront without an account, or with an account in its cooling
 * time only, wait. Refuses `validation_failed` without `PAYOUT_IBAN`, or if nothing can be paid.
 */
export async function exportPayouts(scope: PayoutScope, by: Actor = commandLine()): Promise<Exported> {
  if (scope.testmode !== (scope.storefrontId !== null))
    throw invalid('storefront', 'Must be given in test mode, and not in live mode: one file is for all storefronts.')
  if (scope.storefrontId !== null) await requireStorefront(db(), scope.storefrontId)
  const from = payer()
  return db().$transaction(
    async (sql) => {
      await lockExports(sql)
      const open = await openBatch(sql, scope)
      if (open) return { batch: open, isNew: false }
      const batch = await makeBatch(sql, scope, from)
      const { id, count, total } = batch
      const after = { count, total: formatMoney({ minor: total, currency: 'EUR' }) }
      await writeAudit(sql, by, { action: 'payout.export', subject: id, before: null, after })
      return { batch, isNew: true }
    },
    { timeout: 60_000 },
  )
}

/** An earlier file. Refuses `validation_failed` on an unknown id. */
export async function exportedBefore(batchId: string): Promise<Exported> {
  const batch = await findBatch(db(), batchId)
  if (!batch) throw invalid('batch', 'There is no bank file with this id.')
  return { batch, isNew: false }
}

/** The seller's account. Refuses `validation_failed` without configuration, or if banks cannot write the seller's name. */
function payer(): AccountDetails {
  const { payoutsFrom, seller } = config()
  const holder = sepaText(seller.name)?.slice(0, 70) ?? ''
  if (!payoutsFrom) throw invalid('out', 'PAYOUT_IBAN is not set: it is the account that payouts come from.')
  if (holder === '') throw invalid('out', 'SELLER_NAME must be in Latin letters: banks take no others.')
  return { ...payoutsFrom, holder }
}

async function makeBatch(sql: Sql, scope: PayoutScope, from: AccountDetails): Promise<Batch> {
  const { testmode, storefrontId } = scope
  const now = await timeOf(sql, { testmode, storefrontId: storefrontId ?? '' })
  const requested = await requestedPayouts(sql, scope, mostPayments)
  const payable = requested.flatMap(({ payout, accounts }) => {
    const { current } = accountsAt(accounts, now)
    return current ? [{ payout, account: current }] : []
  })
  if (payable.length === 0)
    throw invalid('out', requested.length === 0 ? 'No payout is requested.' : 'No requested payout has an account yet.')
  const id = newId('payout_batch_', now)
  const file = creditTransfersXml({
    messageId: sepaReference('B', id),
    createdAt: now,
    from,
    payments: payable.map(({ payout, account }) => paymentOf(payout, account)),
  })
  const total = sum(payable.map(({ payout }) => payout.amount))
  const batch = { id, scope, count: payable.length, total, file, createdAt: now }
  const items = payable.map(({ payout, account }) => ({ payoutId: payout.id, accountId: account.id }))
  await insertBatch(sql, batch, items)
  return batch
}

function paymentOf({ id, amount, currency, reference }: Payout, { details }: PayoutAccount) {
  const endToEndId = sepaReference('P', id)
  const words = sepaText(reference ?? '') || endToEndId
  return { endToEndId, amount: { minor: amount, currency }, to: details, text: `Payout ${words}`.slice(0, 140) }
}

/**
 * Writes a file completely or not at all, readable only by its owner because it contains bank details. Returns a summary for people.
 * Refuses `validation_failed` if the file cannot be written. The payouts stay assigned to the file, and the same command writes it
 * again.
 */
export async function writeExport({ batch, isNew }: Exported, out: string) {
  if (batch.file === null)
    throw invalid('batch', 'This bank file is in the installation that made it: mark its payouts.')
  const draft = `${out}.part`
  try {
    await writeFile(draft, batch.file, { mode: 0o600 })
    await chmod(draft, 0o600)
    await rename(draft, out)
  } catch (error) {
    // The removal can fail too. Report why the write failed.
    await rm(draft, { force: true }).catch(() => undefined)
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw invalid('out', `The file cannot be written (${code}).`)
  }
  const currency: Currency = 'EUR'
  return {
    testmode: batch.scope.testmode,
    batchId: batch.id,
    messageId: sepaReference('B', batch.id),
    payments: batch.count,
    currency,
    total: formatMoney({ minor: batch.total, currency }),
    isNew,
    file: out,
  }
}
