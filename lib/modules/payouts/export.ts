import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { type Currency, formatMoney, sum } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { refusedSepaCharacter, sepaCharacters, sepaReference, sepaText } from '../../kernel/sepa.ts'
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

/**
 * The maximum number of payments in a file, which is below the limits of banks. The next file contains the remaining
 * payments.
 */
const mostPayments = 2_000

interface Exported {
  readonly batch: Batch
  readonly isNew: boolean
}

/**
 * Creates a bank file of requested payouts. Returns the last file while any of its payouts is neither confirmed nor
 * returned, so that a repeated or parallel command pays nothing twice. A payout waits while its storefront has no
 * account in effect. Throws `validation_failed` on `storefront` for any storefront in live mode, and for an unknown or
 * missing storefront in test mode. Throws it on `payer` if the payer is not configured, and on `payouts` if nothing can
 * be paid.
 */
export async function exportPayouts(scope: PayoutScope, by: Actor = commandLine()): Promise<Exported> {
  if (scope.testmode !== (scope.storefrontId !== null))
    throw invalid(
      'storefront',
      'Is required in test mode, and not allowed in live mode, where one file contains all storefronts.',
    )
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

export async function exportedBefore(batchId: string): Promise<Exported> {
  const batch = await findBatch(db(), batchId)
  if (!batch) throw invalid('batch', 'There is no bank file with this id.')
  return { batch, isNew: false }
}

/**
 * Returns the account that pays. Throws `validation_failed` on `payer` if no account is configured, or if the seller's
 * name has a character that banks do not accept.
 */
function payer(): AccountDetails {
  const { payoutsFrom, seller } = config()
  const holder = sepaText(seller.name)?.slice(0, 70) ?? ''
  if (!payoutsFrom) throw invalid('payer', ruleProblem('payout_iban'))
  if (holder === '') {
    const character = refusedSepaCharacter(seller.name) ?? seller.name.slice(0, 1)
    throw invalid('payer', ruleProblem('seller_characters', { character, characters: sepaCharacters }))
  }
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
    throw invalid('payouts', ruleProblem(requested.length === 0 ? 'payout_not_requested' : 'payouts_without_account'))
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
 * Writes the file completely or not at all. Only the owner can read the file, because it contains bank details. Throws `validation_failed` if
 * another installation made the file, if its encryption key is lost, or if the write fails. After a failed write, the same command can write the file again.
 */
export async function writeExport({ batch, isNew }: Exported, out: string) {
  if (batch.file === null)
    throw invalid(
      'batch',
      'This bank file belongs to another installation, or the key that encrypted it is lost. Mark its payouts instead.',
    )
  const draft = `${out}.part`
  try {
    await writeFile(draft, batch.file, { mode: 0o600 })
    await chmod(draft, 0o600)
    await rename(draft, out)
  } catch (error) {
    // Ignores an error of `rm`, so that the caller sees the error of the write.
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
