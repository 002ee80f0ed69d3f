import { hostedPath } from '../../kernel/hosted-pages.ts'
import { momentOfRow, ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { linkToken, openLinkToken, seal, searchHashes, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import { inSteps } from '../../platform/db/in-steps.ts'
import { type EmailChange, mostChanges } from './rules/email-change.ts'

/** The database stores the email addresses encrypted, so the limits of requests count keyed hashes of the addresses. */

export interface FoundEmailChange {
  readonly change: EmailChange
  readonly tenant: Tenant
}

/** The path is derived from the id, so the database does not store the path. */
export const emailChangePath = (id: string): string => hostedPath('portal/email-change', linkToken('email_change', id))

export const openEmailChangeToken = (token: string): string | null =>
  openLinkToken('email_change', 'email_change_', token)

export const sealedAt = (id: string) => `email_changes|${id}|sealed`

export async function insertEmailChange(sql: Sql, tenant: Tenant, change: EmailChange): Promise<void> {
  const { id, customerId, from, to, createdAt, expiresAt } = change
  await sql.email_changes.create({
    data: {
      id,
      ...ownedBy(tenant),
      customer_id: customerId,
      sealed: seal(JSON.stringify({ from, to }), sealedAt(id)),
      address_hash: searchHashes(to)[0],
      created_at: createdAt,
      expires_at: expiresAt,
    },
    select: { id: true },
  })
}

export async function findEmailChangeAnywhere(sql: Sql, id: string): Promise<FoundEmailChange | null> {
  const row = await sql.email_changes.findUnique({ where: { id } })
  return row && { change: toChange(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

export async function newestEmailChanges(sql: Sql, tenant: Tenant, customerId: string): Promise<EmailChange[]> {
  const where = { ...ownedBy(tenant), customer_id: customerId }
  return (await sql.email_changes.findMany({ where, orderBy: { id: 'desc' }, take: mostChanges })).map(toChange)
}

/** Returns the times of earlier requests of all customers for the new email address `to`, newest first, up to `mostChanges`. */
export async function wishesForAddress(sql: Sql, tenant: Tenant, { id, to }: EmailChange): Promise<Date[]> {
  const where = { ...ownedBy(tenant), address_hash: { in: searchHashes(to) }, id: { lt: id } }
  const select = { created_at: true } as const
  const rows = await sql.email_changes.findMany({ where, orderBy: { id: 'desc' }, take: mostChanges, select })
  return rows.map(({ created_at }) => created_at)
}

export async function endEmailChanges(sql: Sql, tenant: Tenant, customerId: string, at: Date): Promise<void> {
  const where = { ...ownedBy(tenant), customer_id: customerId, confirmed_at: null, ended_at: null }
  await sql.email_changes.updateMany({ where, data: { ended_at: at } })
}

export async function confirmEmailChange(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.email_changes.update({ where: { id }, data: { confirmed_at: at }, select: { id: true } })
}

export async function emailChangesOf(sql: Sql, tenant: Tenant, customerId: string): Promise<EmailChange[]> {
  const rows = await sql.email_changes.findMany({ where: { ...ownedBy(tenant), customer_id: customerId } })
  return rows.map(toChange)
}

export const deleteOldEmailChanges = (sql: Sql): Promise<number> =>
  inSteps(
    (limit) => sql.$executeRaw`
      DELETE FROM email_changes WHERE id = ANY(ARRAY(
        SELECT id FROM email_changes AS change JOIN clocks USING (storefront_id)
        WHERE expires_at < ${momentOfRow} - interval '30 days'
        LIMIT ${limit}::int FOR UPDATE OF change SKIP LOCKED))`,
  )

type Addresses = Pick<EmailChange, 'from' | 'to'>
type Row = Awaited<ReturnType<Sql['email_changes']['findUniqueOrThrow']>>

/** The addresses are empty if their encryption key is lost, and the link is then refused. */
const toChange = (row: Row): EmailChange => ({
  ...(JSON.parse(unsealIfOpenable(row.sealed, sealedAt(row.id)) ?? '{ "from": "", "to": "" }') as Addresses),
  id: row.id,
  customerId: row.customer_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  confirmedAt: row.confirmed_at,
  endedAt: row.ended_at,
})
