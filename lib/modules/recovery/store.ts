import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { collected, holdsRenewals, type Recovery } from './rules/index.ts'

/** Lock the subscription before you call a function of this file. */

export async function insertRecovery(sql: Sql, tenant: Tenant, recovery: Recovery): Promise<void> {
  const { id, subscriptionId, orderId, collects, simulated, startedAt } = recovery
  const fixed = {
    id,
    ...ownedBy(tenant),
    subscription_id: subscriptionId,
    order_id: orderId,
    collects,
    simulated,
    started_at: startedAt,
  }
  await sql.recoveries.create({ data: { ...fixed, ...toColumns(recovery) }, select: { id: true } })
}

export async function saveRecovery(sql: Sql, recovery: Recovery): Promise<void> {
  await sql.recoveries.update({ where: { id: recovery.id }, data: toColumns(recovery), select: { id: true } })
}

export async function reopenRecovery(sql: Sql, recovery: Recovery): Promise<void> {
  const { id, simulated, startedAt } = recovery
  const data = { ...toColumns(recovery), simulated, started_at: startedAt }
  await sql.recoveries.update({ where: { id }, data, select: { id: true } })
}

export async function findRecovery(sql: Sql, tenant: Tenant, id: string): Promise<Recovery | null> {
  const row = await sql.recoveries.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toRecovery(row)
}

export async function recoveryOfOrder(sql: Sql, orderId: string): Promise<Recovery | null> {
  const row = await sql.recoveries.findUnique({ where: { order_id: orderId } })
  return row && toRecovery(row)
}

export const inRecovery = (sql: Sql, subscriptionIds: string[]): Promise<Set<string>> =>
  subscriptionsWith(sql, { subscription_id: { in: subscriptionIds }, status: 'open' })

export async function heldByRecovery(sql: Sql, subscriptionIds: string[]): Promise<Set<string>> {
  const [held, sold] = await Promise.all([
    subscriptionsWith(sql, { subscription_id: { in: subscriptionIds }, status: 'open', collects: { in: holding } }),
    recoveriesOfSales(sql, subscriptionIds),
  ])
  return new Set([...held, ...sold.flatMap(({ id, status }) => (status === 'open' ? [id] : []))])
}

export const holdingRecoveries = async (sql: Sql, subscriptionId: string): Promise<Recovery[]> =>
  (await recoveriesOwedBy(sql, subscriptionId)).filter(holdsRenewals)

export async function recoveriesOwedBy(sql: Sql, subscriptionId: string): Promise<Recovery[]> {
  const [own, sold] = await Promise.all([openRecoveries(sql, subscriptionId), recoveriesOfSales(sql, [subscriptionId])])
  const open = sold.flatMap(({ recoveryId, status }) => (status === 'open' ? [recoveryId] : []))
  const ofSale = open.length > 0 ? await sql.recoveries.findMany({ where: { id: { in: open } } }) : []
  return [...ofSale.map(toRecovery), ...own]
}

const recoveriesOfSales = (
  sql: Sql,
  subscriptionIds: string[],
): Promise<{ id: string; recoveryId: string; status: string; finishedAt: Date | null }[]> => sql.$queryRaw`
  SELECT s.id, r.id AS "recoveryId", r.status, r.finished_at AS "finishedAt" FROM subscriptions s
  JOIN checkout_lines l ON l.id = s.checkout_line_id
  JOIN orders o ON o.checkout_id = l.checkout_id JOIN recoveries r ON r.order_id = o.id
  WHERE s.id = ANY(${subscriptionIds})`

const holding = collected.filter((collects) => holdsRenewals({ collects }))

async function subscriptionsWith(
  sql: Sql,
  where: NonNullable<Parameters<Sql['recoveries']['findMany']>[0]>['where'] & object,
): Promise<Set<string>> {
  const rows = await sql.recoveries.findMany({ where, select: { subscription_id: true } })
  return new Set(rows.flatMap((row) => row.subscription_id ?? []))
}

export async function wasHeldSince(sql: Sql, subscriptionId: string, since: Date): Promise<boolean> {
  const where = { subscription_id: subscriptionId, finished_at: { gte: since }, collects: { in: holding } }
  if ((await sql.recoveries.count({ where })) > 0) return true
  const sold = await recoveriesOfSales(sql, [subscriptionId])
  return sold.some(({ finishedAt }) => finishedAt !== null && finishedAt >= since)
}

export const countOpenRecoveries = async (sql: Sql, tenant: Tenant, atMost: number): Promise<number> => {
  const where = { ...ownedBy(tenant), status: 'open' as const }
  return (await sql.recoveries.findMany({ where, select: { id: true }, orderBy: { id: 'desc' }, take: atMost })).length
}

export const pageOfOpenRecoveries = (sql: Sql, tenant: Tenant, query: PageQuery): Promise<Page<Recovery>> =>
  page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.recoveries.findFirst({ ...asked, select: { id: true } }),
    filter: { status: 'open' as const },
    find: async (asked) => (await sql.recoveries.findMany(asked)).map(toRecovery),
  })

export async function openRecoveries(sql: Sql, subscriptionId: string): Promise<Recovery[]> {
  const where = { subscription_id: subscriptionId, status: 'open' as const }
  return (await sql.recoveries.findMany({ where, orderBy: { id: 'asc' } })).map(toRecovery)
}

export async function openRecoveriesOf(sql: Sql, subscriptionIds: string[]): Promise<Recovery[]> {
  const where = { subscription_id: { in: subscriptionIds }, status: 'open' as const }
  return (await sql.recoveries.findMany({ where, orderBy: { id: 'asc' } })).map(toRecovery)
}

const toColumns = ({ kind, failureReason, lastFailure, stepsDone, nextStepAt, status, finishedAt }: Recovery) => ({
  kind,
  failure_reason: failureReason,
  last_failure_reason: lastFailure.reason,
  last_failed_at: lastFailure.at,
  steps_done: stepsDone,
  next_step_at: nextStepAt,
  status,
  finished_at: finishedAt,
})

type Row = Awaited<ReturnType<Sql['recoveries']['findUniqueOrThrow']>>

const toRecovery = (row: Row): Recovery => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  orderId: row.order_id,
  collects: row.collects,
  kind: row.kind,
  failureReason: row.failure_reason,
  lastFailure: { reason: row.last_failure_reason, at: row.last_failed_at },
  simulated: row.simulated,
  stepsDone: row.steps_done,
  nextStepAt: row.next_step_at,
  status: row.status,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
})
