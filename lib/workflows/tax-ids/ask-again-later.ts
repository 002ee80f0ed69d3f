import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { answerKeptMs, nextQuestion } from '../../modules/tax/rules/evidence.ts'
import { canonicalTaxId } from '../../modules/tax/rules/index.ts'
import { checkTaxIdLater, taxIdKey } from '../../modules/tax/tasks.ts'
import { realNow } from '../../platform/clock/clock.ts'

/** A sale went ahead while the registry was silent: it is asked again later, in the transaction of the sale. */
export async function askAgainLater(tx: Transaction, { taxId, country, facts }: BuyerChoice): Promise<void> {
  const canonical = taxId ? canonicalTaxId(taxId) : ''
  if (facts?.taxIdResults[canonical] !== 'unknown') return
  const begunAt = realNow()
  const dueAt = nextQuestion(begunAt, begunAt)
  if (!dueAt) return
  const data = {
    taxId: canonical,
    country,
    freshSince: new Date(begunAt.getTime() - answerKeptMs).toISOString(),
    begunAt: begunAt.toISOString(),
  }
  await tx.enqueue(checkTaxIdLater, { key: taxIdKey(tx, canonical), data, dueAt })
}
