import { transact } from '../../modules/events/transact.ts'
import { isWellFormed, plainTaxId, taxAreaOf } from '../../modules/tax/rules/index.ts'
import { findCheck, saveCheck, type TaxIdCheck } from '../../modules/tax/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { askVies } from '../../providers/index.ts'
import { againAfterMs } from './schedule.ts'

/** An answer serves for a day; the want of one, for a minute. */
const freshMs = { valid: 86_400_000, invalid: 86_400_000, unknown: 60_000 } as const

interface Asked {
  readonly country: string | null
  readonly taxId: string | null
}

/**
 * What is known of a buyer's tax ID in live mode; its registry is asked unless that was done lately. Null where nobody is to
 * be asked: without an ID, outside the EU's VAT area, for an ID that cannot be one of the country, and in test mode.
 */
export async function checkTaxId(
  { testmode }: { readonly testmode: boolean },
  { country, taxId }: Asked,
): Promise<TaxIdCheck | null> {
  if (testmode || !taxId || !taxAreaOf(country ?? '').isInEu || !isWellFormed(taxId, country ?? '')) return null
  const plain = plainTaxId(taxId)
  const known = await findCheck(db(), plain)
  if (known && realNow().getTime() - known.checkedAt.getTime() < freshMs[known.result]) return known
  return ask(plain, known)
}

async function ask(taxId: string, known: TaxIdCheck | null): Promise<TaxIdCheck> {
  const answer = await askVies(taxId)
  const attempts = answer.result === 'unknown' ? (known?.attempts ?? 0) + 1 : 0
  const check = { taxId, ...answer, checkedAt: realNow(), attempts }
  await saveCheck(db(), check)
  return check
}

/** The task of an ID without an answer. Gives up after the last time of the schedule. */
export async function checkAgain(tenant: TaskContext, { taxId }: { taxId: string }): Promise<void> {
  const known = await findCheck(db(), taxId)
  const check = known && known.result !== 'unknown' ? known : await ask(taxId, known)
  await transact(tenant, async ({ sql }) => {
    const waitMs = check.result === 'unknown' ? againAfterMs(check.attempts) : null
    if (waitMs !== null) return new Reschedule(new Date(realNow().getTime() + waitMs))
    // An ID that turns out to be invalid changes no earlier sale, and every later one.
    if (check.result === 'invalid')
      await sql.subscriptions.updateMany({ where: { accepted_tax_id: taxId }, data: { accepted_tax_id: null } })
    return
  })
}
