import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Registration, RegistrationScheme } from './rules/index.ts'
import type { SaleEvidence } from './rules/sale-evidence.ts'
import type { TaxIdCheck } from './rules/tax-id-checks.ts'

export async function allRegistrations(sql: Sql): Promise<Registration[]> {
  const rows = await sql.tax_registrations.findMany({ orderBy: [{ country: 'asc' }, { region: 'asc' }, { id: 'asc' }] })
  return rows.map(({ id, country, region, number, scheme, first_day, last_day }) => ({
    id,
    country,
    region,
    number,
    scheme: scheme as RegistrationScheme,
    from: dayOf(first_day),
    until: last_day && dayOf(last_day),
  }))
}

export async function insertRegistration(sql: Sql, { from, until, ...rest }: Registration, now: Date): Promise<void> {
  const days = { first_day: new Date(from), last_day: until === null ? null : new Date(until) }
  await sql.tax_registrations.create({ data: { ...rest, ...days, created_at: now }, select: { id: true } })
}

/** Locks the registrations, because two concurrent calls could otherwise add overlapping registrations. */
export async function lockRegistrations(sql: Sql): Promise<void> {
  await sql.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtext('tax_registrations'))`
}

export async function saveLastDay(sql: Sql, id: string, until: string): Promise<void> {
  await sql.tax_registrations.update({ where: { id }, data: { last_day: new Date(until) }, select: { id: true } })
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

export async function insertCheck(sql: Sql, tenant: Tenant, check: TaxIdCheck): Promise<void> {
  const { checkoutId, customerId, taxId, consultationNumber, checkedAt, ...rest } = check
  const asker = { checkout_id: checkoutId, customer_id: customerId }
  const columns = { ...asker, tax_id: taxId, consultation_number: consultationNumber }
  const data = { ...rest, ...columns, ...ownedBy(tenant), checked_at: checkedAt }
  await sql.tax_id_checks.create({ data, select: { id: true } })
}

/** Returns one check for each canonical tax ID: the newest check with a response or, if the registry never responded, the newest check. */
export async function decisiveChecks(
  sql: Sql,
  tenant: Tenant,
  taxIds: readonly string[],
  since: Date | null = null,
): Promise<TaxIdCheck[]> {
  if (taxIds.length === 0) return []
  const ids = await sql.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (tax_id) id FROM tax_id_checks
    WHERE ${ownedRows(tenant)} AND tax_id = ANY(${[...taxIds]})
      AND checked_at >= coalesce(${since}::timestamptz, '-infinity')
    ORDER BY tax_id, (result = 'unknown'), checked_at DESC, id DESC`
  const rows = await sql.tax_id_checks.findMany({ where: { id: { in: ids.map(({ id }) => id) } } })
  return rows.map(toCheck)
}

export async function findCheck(sql: Sql, tenant: Tenant, id: string): Promise<TaxIdCheck | null> {
  const row = await sql.tax_id_checks.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toCheck(row)
}

type CheckRow = Awaited<ReturnType<Sql['tax_id_checks']['findMany']>>[number]

const toCheck = (row: CheckRow): TaxIdCheck => ({
  id: row.id,
  checkoutId: row.checkout_id,
  customerId: row.customer_id,
  taxId: row.tax_id,
  result: row.result,
  name: row.name,
  address: row.address,
  consultationNumber: row.consultation_number,
  error: row.error,
  source: row.source,
  checkedAt: row.checked_at,
})

/** Saves the evidence of a payment attempt, and replaces the evidence of an earlier attempt. */
export async function saveEvidence(sql: Sql, tenant: Tenant, evidence: SaleEvidence): Promise<void> {
  const data = toColumns(evidence)
  const where = { order_id: evidence.orderId }
  await sql.sale_evidence.upsert({ where, create: { ...where, ...ownedBy(tenant), ...data }, update: data })
}

export async function insertEvidence(sql: Sql, tenant: Tenant, all: readonly SaleEvidence[]): Promise<void> {
  const rows = all.map((evidence) => ({
    order_id: evidence.orderId,
    ...ownedBy(tenant),
    ...toColumns(evidence),
    payment_country: evidence.paymentCountry,
  }))
  await sql.sale_evidence.createMany({ data: rows })
}

const toColumns = (evidence: SaleEvidence) => ({
  declared_country: evidence.declaredCountry,
  postal_code: evidence.postalCode,
  ip_country: evidence.ipCountry,
  country_confirmed_at: evidence.countryConfirmedAt,
  tax_id: evidence.taxId,
  tax_id_check_id: evidence.taxIdCheckId,
  tax_reason: evidence.taxReason,
  exchange_rate_on: evidence.exchangeRateOn === null ? null : new Date(evidence.exchangeRateOn),
  created_at: evidence.createdAt,
})

export async function savePaymentCountry(sql: Sql, orderId: string, country: string): Promise<void> {
  await sql.sale_evidence.updateMany({ where: { order_id: orderId }, data: { payment_country: country } })
}

export async function findEvidence(sql: Sql, orderId: string): Promise<(SaleEvidence & { tenant: Tenant }) | null> {
  const row = await sql.sale_evidence.findUnique({ where: { order_id: orderId } })
  return (
    row && {
      tenant: { storefrontId: row.storefront_id, testmode: row.testmode },
      orderId: row.order_id,
      declaredCountry: row.declared_country,
      postalCode: row.postal_code,
      ipCountry: row.ip_country,
      paymentCountry: row.payment_country,
      countryConfirmedAt: row.country_confirmed_at,
      taxId: row.tax_id,
      taxIdCheckId: row.tax_id_check_id,
      taxReason: row.tax_reason,
      exchangeRateOn: row.exchange_rate_on && dayOf(row.exchange_rate_on),
      createdAt: row.created_at,
    }
  )
}
