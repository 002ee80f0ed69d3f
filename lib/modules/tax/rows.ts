import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { canonicalTaxId, type TaxAmount, type TaxFacts } from './rules/index.ts'
import { allRegistrations, decisiveChecks } from './store.ts'

/** Amounts are strings, because JSON numbers are not exact. */
interface StoredTax {
  name: string
  percentage: string
  amount: string
}

export const storedTax = ({ rate, amount }: TaxAmount) => ({
  name: rate.name,
  percentage: rate.percentage,
  amount: String(amount),
})

export const toTaxes = (stored: unknown): TaxAmount[] =>
  (stored as StoredTax[]).map(({ name, percentage, amount }) => ({
    rate: { name, percentage },
    amount: BigInt(amount),
  }))

/**
 * Returns the registrations and the registry responses for the tax IDs. Ignores responses before `since`. In test mode, returns undefined, because the tax
 * rules of test mode need no facts.
 */
export async function taxFactsOf(
  sql: Sql,
  tenant: Tenant,
  taxIds: readonly (string | null)[],
  since: Date | null = null,
): Promise<TaxFacts | undefined> {
  if (tenant.testmode) return undefined
  const asked = [...new Set(taxIds.flatMap((taxId) => (taxId ? [canonicalTaxId(taxId)] : [])))]
  const registrations = await allRegistrations(sql)
  const checks = await decisiveChecks(sql, tenant, asked, since)
  return {
    registrations,
    readOn: realNow().toISOString().slice(0, 10),
    acceptsUnknown: config().vies.acceptsUnknown,
    taxIdResults: Object.fromEntries(checks.map(({ taxId, result }) => [taxId, result])),
    registeredNames: Object.fromEntries(checks.flatMap(({ taxId, name }) => (name ? [[taxId, name]] : []))),
    checkIds: Object.fromEntries(checks.map(({ taxId, id }) => [taxId, id])),
  }
}

/** Adds the tax facts to each live row. Uses the latest registry response, whatever its age. */
export async function withTaxFacts<
  Row extends { readonly storefront_id: string; readonly testmode: boolean; readonly billing_address: unknown },
  Value extends { readonly taxFacts?: TaxFacts | undefined },
>(sql: Sql, rows: readonly Row[], translate: (row: Row) => Value): Promise<Value[]> {
  const byStorefront = new Map<string, TaxFacts | undefined>()
  for (const storefrontId of new Set(rows.flatMap((row) => (row.testmode ? [] : [row.storefront_id])))) {
    const own = rows.filter((row) => !row.testmode && row.storefront_id === storefrontId)
    const taxIds = own.map((row) => (row.billing_address as { taxId: string | null }).taxId)
    byStorefront.set(storefrontId, await taxFactsOf(sql, { storefrontId, testmode: false }, taxIds))
  }
  return rows.map((row) => {
    const taxFacts = row.testmode ? undefined : byStorefront.get(row.storefront_id)
    return taxFacts ? { ...translate(row), taxFacts } : translate(row)
  })
}
