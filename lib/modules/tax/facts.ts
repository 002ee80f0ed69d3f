import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { canonicalTaxId, type TaxFacts } from './rules/index.ts'
import { allRegistrations, decisiveChecks } from './store.ts'

/** What tax depends on beyond a buyer's form. `name`: as the registry has it, by tax ID. */
export interface KnownFacts extends TaxFacts {
  readonly registeredNames: Readonly<Record<string, string>>
  /** The id of the check that counts, by tax ID. */
  readonly checkIds: Readonly<Record<string, string>>
}

/**
 * The facts for sales to buyers with these tax IDs. With `since`, answers of the registry from before it do not count.
 * Undefined in test mode, whose rules need none.
 */
export async function taxFactsOf(
  sql: Sql,
  tenant: Tenant,
  taxIds: readonly (string | null)[],
  since: Date | null = null,
): Promise<KnownFacts | undefined> {
  if (tenant.testmode) return undefined
  const asked = [...new Set(taxIds.flatMap((taxId) => (taxId ? [canonicalTaxId(taxId)] : [])))]
  const registrations = await allRegistrations(sql)
  const checks = await decisiveChecks(sql, tenant, asked, since)
  return {
    registrations,
    acceptsUnknown: config().vies.acceptsUnknown,
    taxIdResults: Object.fromEntries(checks.map(({ taxId, result }) => [taxId, result])),
    registeredNames: Object.fromEntries(checks.flatMap(({ taxId, name }) => (name ? [[taxId, name]] : []))),
    checkIds: Object.fromEntries(checks.map(({ taxId, id }) => [taxId, id])),
  }
}
