import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { allColumns } from '../../platform/db/columns.ts'
import { insertion, insertRows, type Sql } from '../../platform/db/db.ts'
import { fragment, rawFragment } from '../../platform/db/fragment.ts'
import type { LastChange } from '../../platform/db/last-change.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { sortedPage } from '../../platform/http/sorted-page.ts'

type Row = Awaited<ReturnType<Sql['customers']['findUniqueOrThrow']>>

export type Customer = Readonly<ReturnType<typeof toCustomer>>

const toCustomer = ({ storefront_id: _, time_zone, created_at, erased_at, ...same }: Row) => ({
  ...same,
  timeZone: time_zone,
  createdAt: created_at,
  erasedAt: erased_at,
})

const columnsOf = ({ timeZone, createdAt, erasedAt, ...same }: Customer) => ({
  ...same,
  time_zone: timeZone,
  created_at: createdAt,
  erased_at: erasedAt,
})

type Given = 'id' | 'testmode' | 'email' | 'createdAt'

export const customerWith = (values: Pick<Customer, Given> & Partial<Customer>): Customer => ({
  name: null,
  metadata: null,
  locale: null,
  timeZone: null,
  erasedAt: null,
  ...values,
})

export async function findCustomer(sql: Sql, tenant: Tenant, id: string): Promise<Customer | null> {
  const row = await sql.customers.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toCustomer(row)
}

export async function findCustomers(sql: Sql, tenant: Tenant, ids: string[]): Promise<Map<string, Customer>> {
  const rows = await sql.customers.findMany({ where: { id: { in: ids }, ...ownedBy(tenant) } })
  return new Map(rows.map((row) => [row.id, toCustomer(row)]))
}

export async function tenantOfCustomer(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.customers.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

export async function emailsOf(sql: Sql, tenant: Tenant, ids: string[]): Promise<Map<string, string>> {
  const rows = await sql.customers.findMany({
    where: { id: { in: ids }, ...ownedBy(tenant) },
    select: { id: true, email: true },
  })
  return new Map(rows.map(({ id, email }) => [id, email]))
}

export async function customersWithEmail(sql: Sql, email: string, storefrontIds: string[] | null, take: number) {
  const where = { email, ...(storefrontIds && { storefront_id: { in: storefrontIds } }) }
  const rows = await sql.customers.findMany({ where, orderBy: { id: 'desc' }, take })
  return rows.map(({ id, name, storefront_id, testmode }) => ({
    id,
    name,
    email,
    company: null,
    tenant: { storefrontId: storefront_id, testmode },
  }))
}

export async function tenantsWithEmail(sql: Sql, email: string): Promise<Tenant[]> {
  const rows = await sql.customers.findMany({ where: { email }, select: { storefront_id: true, testmode: true } })
  return rows.map(({ storefront_id, testmode }) => ({ storefrontId: storefront_id, testmode }))
}

export async function findCustomerByEmail(sql: Sql, tenant: Tenant, email: string): Promise<Customer | null> {
  const row = await sql.customers.findUnique({ where: { storefront_id_testmode_email: { ...ownedBy(tenant), email } } })
  return row && toCustomer(row)
}

/**
 * Returns the customer with the email address, or inserts the customer. Of several concurrent calls, only one returns
 * `created: true`, because the index of addresses is unique. Until the transaction ends, the address cannot change and
 * the customer cannot be erased.
 */
export async function getOrInsertCustomer(
  sql: Sql,
  tenant: Tenant,
  customer: Customer,
): Promise<{ customer: Customer; created: boolean }> {
  const rows = [{ ...columnsOf(customer), ...ownedBy(tenant) }]
  for (;;) {
    if ((await insertRows(sql, 'customers', rows, { skipDuplicates: true })) === 1) return { customer, created: true }
    const held = await shareCustomerWithEmail(sql, tenant, customer.email)
    if (held) return { customer: held, created: false }
    // The customer with this address has changed to another address, so the address is free again.
  }
}

/**
 * Returns the insert of a customer, which the transaction sends together with COMMIT. If another customer has the email address, the transaction throws
 * `AddressTaken`.
 */
export const insertionOf = (tenant: Tenant, customer: Customer): LastChange => ({
  change: insertion('customers', [{ ...columnsOf(customer), ...ownedBy(tenant) }], { skipDuplicates: true }),
  must: { rows: 1, otherwise: () => new AddressTaken() },
})

export class AddressTaken extends Error {
  constructor() {
    super('Another customer has the address of the new customer.')
  }
}

/** Finds a customer by email address and locks the customer as `shareCustomer` does. */
export async function shareCustomerWithEmail(sql: Sql, tenant: Tenant, email: string): Promise<Customer | null> {
  const [held] = await sql.$queryRaw<Row[]>`
    SELECT ${allColumns('customers')} FROM customers
    WHERE ${ownedRows(tenant)} AND email = ${email} FOR KEY SHARE`
  return held ? toCustomer(held) : null
}

/**
 * Locks a customer for a new row that refers to the customer. Until the transaction ends, the email address cannot
 * change and the customer cannot be erased. Several transactions can hold this lock together.
 */
export async function shareCustomer(sql: Sql, tenant: Tenant, id: string): Promise<Customer | null> {
  const [, customer] = await Promise.all([
    sql.$queryRaw`SELECT 1 FROM customers WHERE id = ${id} FOR KEY SHARE`,
    findCustomer(sql, tenant, id), // sent together with the lock, and executed after it
  ])
  return customer
}

/**
 * Locks a customer for a change of the email address or for an erasure. Waits for all transactions that use
 * `shareCustomer` or insert a row for the customer, so that this transaction sees their writes.
 */
export async function lockCustomer(sql: Sql, tenant: Tenant, id: string): Promise<Customer | null> {
  await sql.$queryRaw`SELECT 1 FROM customers WHERE id = ${id} FOR UPDATE`
  return findCustomer(sql, tenant, id)
}

/**
 * Locks the customer, so that only one transaction at a time counts the emails to the customer, or the notes about the customer. Transactions that insert
 * rows for the customer without this lock do not wait.
 */
export async function lockForEmail(sql: Sql, id: string): Promise<void> {
  await sql.$queryRaw`SELECT 1 FROM customers WHERE id = ${id} FOR NO KEY UPDATE`
}

export async function saveCustomer(sql: Sql, customer: Customer): Promise<void> {
  const { id, ...data } = columnsOf(customer)
  await sql.customers.update({ where: { id }, data })
}

export async function timeZoneOf(sql: Sql, tenant: Tenant, customerId: string | null): Promise<string | null> {
  return customerId === null ? null : ((await findCustomer(sql, tenant, customerId))?.timeZone ?? null)
}

export async function saveTimeZone(sql: Sql, id: string, timeZone: string): Promise<void> {
  await sql.customers.updateMany({
    where: { id, OR: [{ time_zone: null }, { time_zone: { not: timeZone } }] },
    data: { time_zone: timeZone },
  })
}

export const eraseCustomer = (
  sql: Sql,
  { id, testmode, createdAt }: Customer,
  { email, erasedAt }: { email: string; erasedAt: Date },
): Promise<void> => saveCustomer(sql, customerWith({ id, testmode, createdAt, email, erasedAt }))

/** Sorts the customers by name, or by email address if the name is missing. Ignores case. */
export function pageOfCustomersByName(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  isDescending: boolean,
): Promise<Page<Customer>> {
  const own = ownedRows(tenant)
  return sortedPage(sql, query, isDescending, {
    table: fragment`customers`,
    own,
    listed: own,
    keys: [{ expression: rawFragment(`lower(coalesce(name, email)) COLLATE "C"`), type: 'text' }],
    find: async (ids) => [...(await findCustomers(sql, tenant, [...ids])).values()],
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
    prefix: 'customer_',
    filter: { ...(email !== undefined && { email }) },
    find: async (asked) => (await sql.customers.findMany(asked)).map(toCustomer),
  })
}
