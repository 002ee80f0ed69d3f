import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { canonicalTaxId } from '../../modules/tax/rules/index.ts'
import { answerKeptMs, nextQuestion } from '../../modules/tax/rules/tax-id-checks.ts'
import { checkTaxIdLater, taxIdKey } from '../../modules/tax/tasks.ts'
import { realNow } from '../../platform/clock/clock.ts'

/**
 * Schedules another check of the tax ID if the registry did not respond. Call this function in the transaction of the
 * sale.
 */
export async function askAgainLater(tx: Transaction, { taxId, country, facts }: BuyerChoice): Promise<void> {
  const canonical = taxId ? canonicalTaxId(taxId) : ''
  if (facts?.taxIdResults[canonical] !== 'unknown') return
  const begunAt = realNow()
  const dueAt = nextQuestion(begunAt, begunAt)
  if (dueAt) await enqueueTaxIdCheck(tx, { taxId: canonical, country }, { begunAt, dueAt })
}

/** Schedules a check of the tax ID. The task skips the check if the registry responded within the last 24 hours. */
export async function askSoon(tx: Transaction, taxId: string, country: string): Promise<void> {
  const begunAt = realNow()
  await enqueueTaxIdCheck(tx, { taxId: canonicalTaxId(taxId), country }, { begunAt, dueAt: begunAt })
}

/** `begunAt` is the time from which the task repeats the check for at most 30 days (`askAgain`). */
async function enqueueTaxIdCheck(
  tx: Transaction,
  of: { taxId: string; country: string },
  { begunAt, dueAt }: { begunAt: Date; dueAt: Date },
): Promise<void> {
  const data = {
    ...of,
    freshSince: new Date(begunAt.getTime() - answerKeptMs).toISOString(),
    begunAt: begunAt.toISOString(),
  }
  await tx.enqueue(checkTaxIdLater, { key: taxIdKey(tx, of.taxId), data, dueAt })
}
