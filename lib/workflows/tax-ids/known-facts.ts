import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import { taxFactsOf } from '../../modules/tax/rows.ts'
import { answerKeptMs } from '../../modules/tax/rules/tax-id-checks.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

export async function knownFacts(sql: Sql, tenant: Tenant, choice: BuyerChoice): Promise<BuyerChoice> {
  const facts = await taxFactsOf(sql, tenant, [choice.taxId], new Date(realNow().getTime() - answerKeptMs))
  return facts ? { ...choice, facts } : choice
}
