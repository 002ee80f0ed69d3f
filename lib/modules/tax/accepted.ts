import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { plainTaxId, taxAreaOf } from './rules/index.ts'
import { findCheck, type TaxIdCheck } from './store.ts'

/** Whether a check lets a company account for the tax itself. What is unknown counts as configured. */
export const isAccepted = (check: Pick<TaxIdCheck, 'result'> | null): boolean =>
  check?.result === 'valid' || (check?.result === 'unknown' && config().vies.acceptsUnknown)

/** The tax ID of billing details, plain, if it was accepted by what is known of it. Null in test mode, which asks nobody. */
export async function acceptedTaxIdOf(
  sql: Sql,
  { testmode }: { readonly testmode: boolean },
  { country, taxId }: { readonly country: string | null; readonly taxId: string | null },
): Promise<string | null> {
  if (testmode || !taxId || !taxAreaOf(country ?? '').isInEu) return null
  const plain = plainTaxId(taxId)
  return isAccepted(await findCheck(sql, plain)) ? plain : null
}
