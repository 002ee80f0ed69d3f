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

/** The ids of a merchant's storefronts, in the order in which they were made. */
export async function storefrontsOf(sql: Sql, merchantId: string): Promise<string[]> {
  const where = { merchant_id: merchantId }
  const rows = await sql.storefronts.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } })
  return rows.map(({ id }) => id)
}

/** For the command line. Refuses `validation_failed` on a storefront that does not exist. */
export async function requireStorefront(sql: Sql, id: string): Promise<void> {
  if (!(await storefrontExists(sql, id))) throw invalid('storefront', 'There is no storefront with this id.')
}

/** Inserts a storefront and its test clock, at real time. */
export async function insertStorefront(
  sql: Sql,
  storefront: { id: string; merchantId: string; name: string; createdAt: Date },
): Promise<void> {
  const { id, merchantId, name, createdAt } = storefront
  await sql.storefronts.create({ data: { id, merchant_id: merchantId, name, created_at: createdAt } })
  await sql.clocks.create({ data: { storefront_id: id } })
}

/** The names of a storefront and its merchant. */
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
  /** Null unless the service's staff has suspended the storefront. */
  readonly suspension: Suspension | null
  /** The start of a hold for a move to another installation, which blocks all changes here. Null without a hold. */
  readonly heldAt: Date | null
}

export interface Suspension {
  readonly since: Date
  /** The reason, as members of the storefront see it. */
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

/** The same, locked against concurrent changes. */
export async function lockStorefront(sql: Sql, id: string): Promise<Storefront | null> {
  await sql.$queryRaw`SELECT 1 FROM storefronts WHERE id = ${id} FOR NO KEY UPDATE`
  return findStorefront(sql, id)
}

export async function suspendStorefront(sql: Sql, id: string, { since, reason }: Suspension): Promise<void> {
  await sql.storefronts.update({ where: { id }, data: { suspended_at: since, suspended_reason: reason } })
}

/** `testAt` is the moment on the clock of its test mode. */
export async function resumeStorefront(
  sql: Sql,
  id: string,
  { at, testAt }: { at: Date; testAt: Date },
): Promise<void> {
  const data = { suspended_at: null, suspended_reason: null, resumed_at: at, resumed_test_at: testAt }
  await sql.storefronts.update({ where: { id }, data })
}

/**
 * Locks a storefront against everything that acts for it, in both modes, once what acts at the moment is committed. Returns since when it is on hold, and whether its test clock is being advanced. Null:
 * there is no such storefront.
 */
export async function lockForHold(sql: Sql, id: string): Promise<{ heldAt: Date | null; isAdvancing: boolean } | null> {
  await sql.$queryRaw`SELECT pg_advisory_xact_lock(20261122, hashtext(${id}))::text`
  await sql.$queryRaw`SELECT pg_advisory_xact_lock(20261124, hashtext(${id}))::text`
  const select = { held_at: true, clock: { select: { advancing_to: true } } } as const
  const row = await sql.storefronts.findUnique({ where: { id }, select })
  return row && { heldAt: row.held_at, isAdvancing: row.clock !== null && row.clock.advancing_to !== null }
}

/** Fails, as if the database were away, while the storefront is on hold; a hold that is about to begin waits for the transaction. */
export async function requireNotHeld(sql: Sql, id: string): Promise<void> {
  await sql.$executeRaw`SELECT hold_storefront(${id})::text`
}

export async function holdStorefront(sql: Sql, id: string, since: Date): Promise<void> {
  await sql.storefronts.update({ where: { id }, data: { held_at: since } })
}

/** The moments are those of `resumeStorefront`: renewals that waited are charged once, from then on. */
export async function releaseStorefront(
  sql: Sql,
  id: string,
  { at, testAt }: { at: Date; testAt: Date },
): Promise<void> {
  await sql.storefronts.update({ where: { id }, data: { held_at: null, resumed_at: at, resumed_test_at: testAt } })
}

/** Whether a storefront may sell. */
export interface Selling {
  readonly isSuspended: boolean
  /** When the last suspension was lifted, on the tenant's clock; null if there was none. */
  readonly resumedAt: Date | null
}

export async function sellingOf(sql: Sql, { storefrontId, testmode }: Tenant): Promise<Selling> {
  const select = { suspended_at: true, held_at: true, resumed_at: true, resumed_test_at: true } as const
  const row = await sql.storefronts.findUniqueOrThrow({ where: { id: storefrontId }, select })
  const isSuspended = row.suspended_at !== null || row.held_at !== null
  return { isSuspended, resumedAt: testmode ? row.resumed_test_at : row.resumed_at }
}

/** Whether a dispute for fraud, or because the subscription was canceled, ends subscriptions of a storefront. */
export async function disputesEndSubscriptions(sql: Sql, storefrontId: string): Promise<boolean> {
  const select = { disputes_end_subscriptions: true } as const
  return (await sql.storefronts.findUniqueOrThrow({ where: { id: storefrontId }, select })).disputes_end_subscriptions
}

export async function setDisputesEndSubscriptions(sql: Sql, storefrontId: string, isOn: boolean): Promise<void> {
  await sql.storefronts.update({ where: { id: storefrontId }, data: { disputes_end_subscriptions: isOn } })
}

/** The changes that a storefront allows its customers in the portal. */
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

/** For each of these storefronts that exists here: whether it is on hold, moving or moved to another installation. */
export async function holdsOf(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const where = { id: { in: [...new Set(ids)] } }
  const rows = await sql.storefronts.findMany({ where, select: { id: true, held_at: true } })
  return new Map(rows.map(({ id, held_at }) => [id, held_at !== null]))
}

export async function storefrontIdsOf(sql: Sql, merchantId: string): Promise<string[]> {
  const rows = await sql.storefronts.findMany({ where: { merchant_id: merchantId }, select: { id: true } })
  return rows.map(({ id }) => id)
}

/** Since when a merchant is here. */
export const merchantSince = async (sql: Sql, id: string): Promise<Date> =>
  (await sql.merchants.findUniqueOrThrow({ where: { id }, select: { created_at: true } })).created_at

/** The names of these storefronts, by id. */
export async function storefrontNames(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.storefronts.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Ignores letter case. Reads all names, since an installation has few storefronts. */
async function storefrontIdsNamed(sql: Sql, part: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM storefronts s JOIN merchants m ON m.id = s.merchant_id
    WHERE strpos(lower(s.name), lower(${part})) > 0 OR strpos(lower(m.name), lower(${part})) > 0`
  return rows.map(({ id }) => id)
}

/** The storefronts of every merchant, or of one, newest first; with `name`, those that have it in their name or their merchant's. */
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
