import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { answerKeptMs, nextQuestion } from '../../modules/tax/rules/evidence.ts'
import { canonicalTaxId } from '../../modules/tax/rules/index.ts'
import { checkTaxIdLater, taxIdKey } from '../../modules/tax/tasks.ts'
import { realNow } from '../../platform/clock/clock.ts'

/** In the transaction of the sale, which went ahead without the registry's answer. */
export async function askAgainLater(tx: Transaction, { taxId, country, facts }: BuyerChoice): Promise<void> {
  const canonical = taxId ? canonicalTaxId(taxId) : ''
  if (facts?.taxIdResults[canonical] !== 'unknown') return
  const begunAt = realNow()
  const dueAt = nextQuestion(begunAt, begunAt)
  if (dueAt) await enqueueTaxIdCheck(tx, { taxId: canonical, country }, { begunAt, dueAt })
}

/** Unless the registry answered within a day. Later orders are without tax only after an answer. */
export async function askSoon(tx: Transaction, taxId: string, country: string): Promise<void> {
  const begunAt = realNow()
  await enqueueTaxIdCheck(tx, { taxId: canonicalTaxId(taxId), country }, { begunAt, dueAt: begunAt })
}

/** `begunAt`: the start of the time in which the registry is asked without an answer. */
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
