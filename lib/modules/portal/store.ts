import { momentOfRow, ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { inSteps } from '../../platform/db/in-steps.ts'
import type { PortalSession } from './rules/session.ts'

export async function insertSession(sql: Sql, tenant: Tenant, session: PortalSession): Promise<void> {
  const { id, customerId, returnUrl, expiresAt, createdAt } = session
  await sql.portal_sessions.create({
    data: {
      id,
      ...ownedBy(tenant),
      customer_id: customerId,
      return_url: returnUrl,
      expires_at: expiresAt,
      created_at: createdAt,
    },
    select: { id: true },
  })
}

export interface FoundSession {
  readonly session: PortalSession
  readonly tenant: Tenant
}

export async function sessionsOf(sql: Sql, tenant: Tenant, customerId: string): Promise<PortalSession[]> {
  const where = { ...ownedBy(tenant), customer_id: customerId }
  return (await sql.portal_sessions.findMany({ where, orderBy: { id: 'asc' } })).map((row) => toFound(row).session)
}

export async function findSessionAnywhere(sql: Sql, id: string): Promise<FoundSession | null> {
  const row = await sql.portal_sessions.findUnique({ where: { id } })
  return row && toFound(row)
}

export async function findSessionBySecret(sql: Sql, hash: Uint8Array<ArrayBuffer>): Promise<FoundSession | null> {
  const row = await sql.portal_sessions.findUnique({ where: { secret_hash: hash } })
  return row && toFound(row)
}

/** Redeems the link of a session. Returns false if the link is already redeemed or ended. `at` is on the real clock. */
export async function redeem(
  sql: Sql,
  id: string,
  { hash, at }: { hash: Uint8Array<ArrayBuffer>; at: Date },
): Promise<boolean> {
  const redeemed = await sql.portal_sessions.updateMany({
    where: { id, redeemed_at: null, ended_at: null },
    data: { secret_hash: hash, redeemed_at: at, last_used_at: at },
  })
  return redeemed.count === 1
}

export async function recordUse(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.portal_sessions.updateMany({ where: { id }, data: { last_used_at: at } })
}

/** Ends a session or link. Returns false if the session or link had already ended. `at` is on the real clock. */
export async function endSession(sql: Sql, id: string, at: Date): Promise<boolean> {
  return (await sql.portal_sessions.updateMany({ where: { id, ended_at: null }, data: { ended_at: at } })).count === 1
}

/**
 * Ends all links and sessions of a customer except the session `except`. Returns the number of links and sessions that this call ended. `at`
 * is on the real clock.
 */
export async function endSessionsOf(
  sql: Sql,
  tenant: Tenant,
  customerId: string,
  { at, except = null }: { at: Date; except?: string | null },
): Promise<number> {
  const others = except !== null && { id: { not: except } }
  const where = { ...ownedBy(tenant), customer_id: customerId, ended_at: null, ...others }
  return (await sql.portal_sessions.updateMany({ where, data: { ended_at: at } })).count
}

export const deleteOldSessions = (sql: Sql): Promise<number> =>
  inSteps(
    (limit) => sql.$executeRaw`
      DELETE FROM portal_sessions WHERE id = ANY(ARRAY(
        SELECT id FROM portal_sessions AS session JOIN clocks USING (storefront_id)
        WHERE expires_at < ${momentOfRow} - interval '30 days'
          AND coalesce(last_used_at, '-infinity') < clock_timestamp() - interval '30 days'
        LIMIT ${limit}::int FOR UPDATE OF session SKIP LOCKED))`,
  )

type Row = Awaited<ReturnType<Sql['portal_sessions']['findUniqueOrThrow']>>

const toFound = (row: Row): FoundSession => ({
  tenant: { storefrontId: row.storefront_id, testmode: row.testmode },
  session: {
    id: row.id,
    customerId: row.customer_id,
    returnUrl: row.return_url,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    redeemedAt: row.redeemed_at,
    lastUsedAt: row.last_used_at,
    endedAt: row.ended_at,
  },
})
