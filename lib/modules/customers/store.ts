import type { Locale } from '../../kernel/locale.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { insertRows, type Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'

export interface Customer {
  readonly id: string
  readonly testmode: boolean
  /** Canonical. */
  readonly email: string
  readonly name: string | null
  /** JSON as sent. */
  readonly metadata: string | null
  /** The language chosen in the portal; null for the language of the purchase. */
  readonly locale: Locale | null
  /** The time zone (IANA) of the browser of the last purchase; null if unknown. */
  readonly timeZone: string | null
  readonly createdAt: Date
  /** When the personal data was erased; null if not erased. */
  readonly erasedAt: Date | null
}

export async function findCustomer(sql: Sql, tenant: Tenant, id: string): Promise<Customer | null> {
  const row = await sql.customers.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toCustomer(row)
}

export async function findCustomers(sql: Sql, tenant: Tenant, ids: string[]): Promise<Map<string, Customer>> {
  const rows = await sql.customers.findMany({ where: { id: { in: ids }, ...ownedBy(tenant) } })
  return new Map(rows.map((row) => [row.id, toCustomer(row)]))
}

/** The tenant of a customer, for the command line, which is given only its id. */
export async function tenantOfCustomer(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.customers.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

/** The email addresses of customers, by customer id. */
export async function emailsOf(sql: Sql, tenant: Tenant, ids: string[]): Promise<Map<string, string>> {
  const rows = await sql.customers.findMany({
    where: { id: { in: ids }, ...ownedBy(tenant) },
    select: { id: true, email: true },
  })
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** The customers with this address, in both modes of these storefronts; null is all. */
export async function customersWithEmail(sql: Sql, email: string, storefrontIds: string[] | null, take: number) {
  const where = { email, ...(storefrontIds && { storefront_id: { in: storefrontIds } }) }
  const rows = await sql.customers.findMany({ where, orderBy: { id: 'desc' }, take })
  return rows.map(({ id, storefront_id, testmode }) => ({ id, tenant: { storefrontId: storefront_id, testmode } }))
}

/** The storefronts and modes that have a customer with this address. */
export async function tenantsWithEmail(sql: Sql, email: string): Promise<Tenant[]> {
  const rows = await sql.customers.findMany({ where: { email }, select: { storefront_id: true, testmode: true } })
  return rows.map(({ storefront_id, testmode }) => ({ storefrontId: storefront_id, testmode }))
}

export async function findCustomerByEmail(sql: Sql, tenant: Tenant, email: string): Promise<Customer | null> {
  const row = await sql.customers.findUnique({ where: { storefront_id_testmode_email: { ...ownedBy(tenant), email } } })
  return row && toCustomer(row)
}

/**
 * The customer with the address, which is inserted if it is missing. Waits for a concurrent insert. However many calls
 * run at once, the unique index lets only one return `created`. Until the end of the transaction the customer has the
 * address and is not erased.
 */
export async function getOrInsertCustomer(
  sql: Sql,
  tenant: Tenant,
  customer: Customer,
): Promise<{ customer: Customer; created: boolean }> {
  const { id, email, name, metadata, locale, timeZone: time_zone, createdAt: created_at } = customer
  const row = { id, ...ownedBy(tenant), email, name, metadata, locale, time_zone, created_at, erased_at: null }
  for (;;) {
    if ((await insertRows(sql, 'customers', [row], { skipDuplicates: true })) === 1) return { customer, created: true }
    const held = await shareCustomerWithEmail(sql, tenant, email)
    if (held) return { customer: held, created: false }
    // Its owner has just changed to another address, so this address is free.
  }
}

async function shareCustomerWithEmail(sql: Sql, tenant: Tenant, email: string): Promise<Customer | null> {
  const [held] = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM customers
    WHERE storefront_id = ${tenant.storefrontId} AND testmode = ${tenant.testmode} AND email = ${email} FOR KEY SHARE`
  return held ? findCustomer(sql, tenant, held.id) : null
}

/**
 * Locks a customer for a new reference: until the transaction ends, the address stays and no erasure happens.
 * Any number of transactions share a customer, and may change what is not the address.
 */
export async function shareCustomer(sql: Sql, tenant: Tenant, id: string): Promise<Customer | null> {
  const [, customer] = await Promise.all([
    sql.$queryRaw`SELECT 1 FROM customers WHERE id = ${id} FOR KEY SHARE`,
    findCustomer(sql, tenant, id), // sent together with the lock, and run behind it
  ])
  return customer
}

/**
 * For a change of the address, and for an erasure: waits for all who share the customer, as a foreign key does too. What they
 * have written can be read after it.
 */
export async function lockCustomer(sql: Sql, tenant: Tenant, id: string): Promise<Customer | null> {
  await sql.$queryRaw`SELECT 1 FROM customers WHERE id = ${id} FOR UPDATE`
  return findCustomer(sql, tenant, id)
}

export async function saveCustomer(sql: Sql, { id, name, email, locale }: Customer): Promise<void> {
  await sql.customers.update({ where: { id }, data: { name, email, locale } })
}

/** The time zone of the customer's browser; null if it is unknown or the customer does not exist. */
export async function timeZoneOf(sql: Sql, tenant: Tenant, customerId: string | null): Promise<string | null> {
  return customerId === null ? null : ((await findCustomer(sql, tenant, customerId))?.timeZone ?? null)
}

export async function saveTimeZone(sql: Sql, id: string, timeZone: string): Promise<void> {
  await sql.customers.updateMany({
    where: { id, OR: [{ time_zone: null }, { time_zone: { not: timeZone } }] },
    data: { time_zone: timeZone },
  })
}

/** Clears the personal data. `email` is an address that belongs to nobody. */
export async function eraseCustomer(
  sql: Sql,
  { id, email, at }: { id: string; email: string; at: Date },
): Promise<void> {
  await sql.customers.update({
    where: { id },
    data: { email, name: null, metadata: null, locale: null, time_zone: null, erased_at: at },
  })
}

export function pageOfCustomers(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  email: string | undefined,
): Promise<Page<Customer>> {
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.customers.findFirst({ ...asked, select: { id: true } }),
    filter: { ...(email !== undefined && { email }) },
    find: async (asked) => (await sql.customers.findMany(asked)).map(toCustomer),
  })
}

type Row = Awaited<ReturnType<Sql['customers']['findUniqueOrThrow']>>

const toCustomer = (row: Row): Customer => ({
  id: row.id,
  testmode: row.testmode,
  email: row.email,
  name: row.name,
  metadata: row.metadata,
  locale: row.locale,
  timeZone: row.time_zone,
  createdAt: row.created_at,
  erasedAt: row.erased_at,
})
