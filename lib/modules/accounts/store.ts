import type { Prisma } from '../../../prisma/client/client.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import type { PortalChanges } from '../portal/rules/portal-change.ts'

export async function insertMerchant(sql: Sql, merchant: { id: string; name: string; createdAt: Date }): Promise<void> {
  await sql.merchants.create({ data: { id: merchant.id, name: merchant.name, created_at: merchant.createdAt } })
}

export const merchantExists = async (sql: Sql, id: string) => (await sql.merchants.count({ where: { id } })) === 1

export const findMerchantName = async (sql: Sql, id: string): Promise<string | null> =>
  (await sql.merchants.findUnique({ where: { id }, select: { name: true } }))?.name ?? null

export const storefrontExists = async (sql: Sql, id: string) => (await sql.storefronts.count({ where: { id } })) === 1

export async function storefrontsOf(sql: Sql, merchantId: string): Promise<string[]> {
  const where = { merchant_id: merchantId }
  const rows = await sql.storefronts.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } })
  return rows.map(({ id }) => id)
}

/** Throws `validation_failed` on `storefront` if the storefront does not exist. */
export async function requireStorefront(sql: Sql, id: string): Promise<void> {
  if (!(await storefrontExists(sql, id))) throw invalid('storefront', 'There is no storefront with this id.')
}

/** Inserts the storefront and its test clock, which starts at the real time. */
export async function insertStorefront(
  sql: Sql,
  storefront: { id: string; merchantId: string; name: string; createdAt: Date },
): Promise<void> {
  const { id, merchantId, name, createdAt } = storefront
  await sql.storefronts.create({ data: { id, merchant_id: merchantId, name, created_at: createdAt } })
  await sql.clocks.create({ data: { storefront_id: id } })
}

export async function storefrontOwner(sql: Sql, id: string): Promise<{ storefront: string; merchant: string }> {
  const select = { name: true, merchant: { select: { name: true } } } as const
  const row = await sql.storefronts.findUniqueOrThrow({ where: { id }, select })
  return { storefront: row.name, merchant: row.merchant.name }
}

export interface Storefront {
  readonly id: string
  readonly name: string
  readonly merchant: { readonly id: string; readonly name: string }
  readonly createdAt: Date
  readonly suspension: Suspension | null
  /** The start of the hold for a move to another installation. During a hold, the data of the storefront cannot change. */
  readonly heldAt: Date | null
}

export interface Suspension {
  readonly since: Date
  /** The reason for the suspension, which the members of the merchant see. */
  readonly reason: string
}

const withMerchant = {
  id: true,
  name: true,
  created_at: true,
  suspended_at: true,
  suspended_reason: true,
  held_at: true,
  merchant: { select: { id: true, name: true } },
} as const

type StorefrontRow = Prisma.storefrontsGetPayload<{ select: typeof withMerchant }>

const toStorefront = ({
  id,
  name,
  merchant,
  created_at,
  suspended_at,
  suspended_reason,
  held_at,
}: StorefrontRow): Storefront => ({
  id,
  name,
  merchant,
  createdAt: created_at,
  suspension: suspended_at && { since: suspended_at, reason: suspended_reason ?? '' },
  heldAt: held_at,
})

export async function findStorefront(sql: Sql, id: string): Promise<Storefront | null> {
  const row = await sql.storefronts.findUnique({ where: { id }, select: withMerchant })
  return row && toStorefront(row)
}

export async function lockStorefront(sql: Sql, id: string): Promise<Storefront | null> {
  await sql.$queryRaw`SELECT 1 FROM storefronts WHERE id = ${id} FOR NO KEY UPDATE`
  return findStorefront(sql, id)
}

export async function suspendStorefront(sql: Sql, id: string, { since, reason }: Suspension): Promise<void> {
  await sql.storefronts.update({ where: { id }, data: { suspended_at: since, suspended_reason: reason } })
}

export async function resumeStorefront(
  sql: Sql,
  id: string,
  { at, testAt }: { at: Date; testAt: Date },
): Promise<void> {
  const data = { suspended_at: null, suspended_reason: null, resumed_at: at, resumed_test_at: testAt }
  await sql.storefronts.update({ where: { id }, data })
}

/** Waits for all running transactions of a storefront in both modes, and then blocks new transactions. */
export async function lockForHold(sql: Sql, id: string): Promise<{ heldAt: Date | null; isAdvancing: boolean } | null> {
  await sql.$queryRaw`SELECT pg_advisory_xact_lock(20261122, hashtext(${id}))::text`
  await sql.$queryRaw`SELECT pg_advisory_xact_lock(20261124, hashtext(${id}))::text`
  const select = { held_at: true, clock: { select: { advancing_to: true } } } as const
  const row = await sql.storefronts.findUnique({ where: { id }, select })
  return row && { heldAt: row.held_at, isAdvancing: row.clock !== null && row.clock.advancing_to !== null }
}

/** During a hold, throws the same error as for an unavailable database. A new hold waits until this transaction ends. */
export async function requireNotHeld(sql: Sql, id: string): Promise<void> {
  await sql.$executeRaw`SELECT hold_storefront(${id})::text`
}

export async function holdStorefront(sql: Sql, id: string, since: Date): Promise<void> {
  await sql.storefronts.update({ where: { id }, data: { held_at: since } })
}

/** Ends the hold at the real time `at` and the test time `testAt`. After the hold, each delayed renewal is charged once. */
export async function releaseStorefront(
  sql: Sql,
  id: string,
  { at, testAt }: { at: Date; testAt: Date },
): Promise<void> {
  await sql.storefronts.update({ where: { id }, data: { held_at: null, resumed_at: at, resumed_test_at: testAt } })
}

export interface Selling {
  readonly isSuspended: boolean
  /** The end of the last suspension or hold, on the tenant's clock; null if neither has occurred. */
  readonly resumedAt: Date | null
}

export async function sellingOf(sql: Sql, { storefrontId, testmode }: Tenant): Promise<Selling> {
  const select = { suspended_at: true, held_at: true, resumed_at: true, resumed_test_at: true } as const
  const row = await sql.storefronts.findUniqueOrThrow({ where: { id: storefrontId }, select })
  const isSuspended = row.suspended_at !== null || row.held_at !== null
  return { isSuspended, resumedAt: testmode ? row.resumed_test_at : row.resumed_at }
}

/**
 * Returns a setting of the storefront: whether a dispute with the reason `fraud` or `subscription_canceled` ends the
 * disputed subscriptions.
 */
export async function disputesEndSubscriptions(sql: Sql, storefrontId: string): Promise<boolean> {
  const select = { disputes_end_subscriptions: true } as const
  return (await sql.storefronts.findUniqueOrThrow({ where: { id: storefrontId }, select })).disputes_end_subscriptions
}

export async function setDisputesEndSubscriptions(sql: Sql, storefrontId: string, isOn: boolean): Promise<void> {
  await sql.storefronts.update({ where: { id: storefrontId }, data: { disputes_end_subscriptions: isOn } })
}

export async function portalChangesOf(sql: Sql, storefrontId: string): Promise<PortalChanges> {
  const select = { portal_quantity: true, portal_plan_ids: true } as const
  const row = await sql.storefronts.findUniqueOrThrow({ where: { id: storefrontId }, select })
  return { quantity: row.portal_quantity, planIds: row.portal_plan_ids }
}

export async function savePortalChanges(
  sql: Sql,
  storefrontId: string,
  { quantity, planIds }: PortalChanges,
): Promise<void> {
  const data = { portal_quantity: quantity, portal_plan_ids: [...planIds] }
  await sql.storefronts.update({ where: { id: storefrontId }, data })
}

export async function holdsOf(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const where = { id: { in: [...new Set(ids)] } }
  const rows = await sql.storefronts.findMany({ where, select: { id: true, held_at: true } })
  return new Map(rows.map(({ id, held_at }) => [id, held_at !== null]))
}

export async function storefrontIdsOf(sql: Sql, merchantId: string): Promise<string[]> {
  const rows = await sql.storefronts.findMany({ where: { merchant_id: merchantId }, select: { id: true } })
  return rows.map(({ id }) => id)
}

export const merchantSince = async (sql: Sql, id: string): Promise<Date> =>
  (await sql.merchants.findUniqueOrThrow({ where: { id }, select: { created_at: true } })).created_at

export async function storefrontNames(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.storefronts.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function storefrontIdsNamed(sql: Sql, part: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM storefronts s JOIN merchants m ON m.id = s.merchant_id
    WHERE strpos(lower(s.name), lower(${part})) > 0 OR strpos(lower(m.name), lower(${part})) > 0`
  return rows.map(({ id }) => id)
}

/**
 * Returns the newest storefronts first. `name` is a part of the storefront's or merchant's name. If `merchantId` is undefined, lists the storefronts of all
 * merchants.
 */
export async function pageOfStorefronts(
  sql: Sql,
  query: PageQuery,
  { merchantId, name }: { merchantId?: string | undefined; name?: string | undefined } = {},
): Promise<Page<Storefront>> {
  const ids = name === undefined ? null : await storefrontIdsNamed(sql, name)
  return page(query, {
    own: merchantId === undefined ? {} : { merchant_id: merchantId },
    one: (asked) => sql.storefronts.findFirst({ ...asked, select: { id: true } }),
    filter: ids ? { AND: { id: { in: ids } } } : {},
    find: async (asked) => (await sql.storefronts.findMany({ ...asked, select: withMerchant })).map(toStorefront),
  })
}
