import { hostedPath } from '../../kernel/hosted-pages.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { linkToken, openLinkToken, seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Order } from './rules/order.ts'
import { findOrders, orderOfCheckoutLine } from './store.ts'

/** That a consumer withdrew from the contract of an order or from lines of it, in their words. */
export interface DeclaredWithdrawal {
  readonly orderId: string
  /** What it is about: lines of the order's checkout, each with how many. No unit is withdrawn from twice. */
  readonly lines: readonly { readonly checkoutLineId: string; readonly quantity: number }[]
  /** Whether the browser had an open session of the portal, or came by the link of an email alone. */
  readonly source: 'portal' | 'link'
  readonly name: string
  /** Where the acknowledgement was sent; canonical. */
  readonly email: string
  readonly statement: string
  readonly declaredAt: Date
}

/** The address of the page on which the buyer of an order withdraws: derived, and never stored. */
export const withdrawalPath = (orderId: string): string => hostedPath('withdrawal', linkToken('withdrawal', orderId))

/** The order behind the link. Null if it is none of ours. */
export const openWithdrawalToken = (token: string): string | null => openLinkToken('withdrawal', 'order_', token)

export const sealedAt = (orderId: string) => `order_withdrawals|${orderId}|sealed`

/** The caller holds the lock of the order. */
export async function insertWithdrawal(sql: Sql, tenant: Tenant, declared: DeclaredWithdrawal): Promise<void> {
  const { orderId, lines, source, declaredAt, name, email, statement } = declared
  const sealed = seal(JSON.stringify({ name, email, statement }), sealedAt(orderId))
  const number = 1 + (await sql.order_withdrawals.count({ where: { order_id: orderId } }))
  await sql.order_withdrawals.create({
    data: {
      order_id: orderId,
      number,
      ...ownedBy(tenant),
      source,
      sealed,
      declared_at: declaredAt,
      checkout_line_ids: lines.map(({ checkoutLineId }) => checkoutLineId),
      quantities: lines.map(({ quantity }) => quantity),
    },
    select: { order_id: true },
  })
}

/** The withdrawals from an order, the earliest first. */
export async function findWithdrawals(sql: Sql, orderId: string): Promise<DeclaredWithdrawal[]> {
  const rows = await sql.order_withdrawals.findMany({ where: { order_id: orderId }, orderBy: { number: 'asc' } })
  const bought = await boughtOf(
    sql,
    rows.filter(isOfWholeLines).flatMap((row) => row.checkout_line_ids),
  )
  return rows.map((row) => ({
    ...wordsOf(row),
    orderId,
    source: row.source,
    declaredAt: row.declared_at,
    lines: row.checkout_line_ids.map((checkoutLineId, index) => {
      const quantity = isOfWholeLines(row) ? bought.get(checkoutLineId) : row.quantities[index]
      if (quantity === undefined) throw new Error('a withdrawn line has no quantity')
      return { checkoutLineId, quantity }
    }),
  }))
}

type Words = Pick<DeclaredWithdrawal, 'name' | 'email' | 'statement'>

/** Empty if they were sealed with a key that is lost: that and when somebody withdrew, and from what, counts all the same. */
const wordsOf = (row: { order_id: string; sealed: Uint8Array }): Words =>
  JSON.parse(unsealIfOpenable(row.sealed, sealedAt(row.order_id)) ?? '{ "name": "", "email": "", "statement": "" }')

/** Of a checkout's line that its buyer has withdrawn from, whole or from units of it: its order, and when from how many. */
export interface WithdrawnLine {
  readonly order: Order
  readonly declared: readonly { readonly quantity: number; readonly declaredAt: Date }[]
}

/** Those of these lines of checkouts that their buyers have withdrawn from, whole or from units of them. */
export async function linesWithdrawnFrom(sql: Sql, checkoutLineIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT line.id FROM checkout_lines line JOIN orders o ON o.checkout_id = line.checkout_id
    JOIN order_withdrawals w ON w.order_id = o.id AND line.id = ANY (w.checkout_line_ids)
    WHERE line.id = ANY (${[...checkoutLineIds]}::text[])`
  return new Set(rows.map(({ id }) => id))
}

/** Null if the buyer has not withdrawn from the line. */
export async function withdrawnLine(sql: Sql, tenant: Tenant, checkoutLineId: string): Promise<WithdrawnLine | null> {
  const order = await orderOfCheckoutLine(sql, tenant, checkoutLineId)
  const declared = (order ? await findWithdrawals(sql, order.id) : []).flatMap(({ lines, declaredAt }) =>
    lines.flatMap((line) => (line.checkoutLineId === checkoutLineId ? { quantity: line.quantity, declaredAt } : [])),
  )
  return order && declared.length > 0 ? { order, declared } : null
}

/**
 * Whether a withdrawal states no quantities (NULL): an older version recorded it, which knew whole lines only, and may run
 * beside this one while processes are replaced.
 */
const isOfWholeLines = (row: { readonly quantities: readonly number[] | null }): boolean => row.quantities === null

/** How many were bought with lines of a checkout, by their ids. */
async function boughtOf(sql: Sql, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const lines = await sql.checkout_lines.findMany({ where: { id: { in: ids } }, select: { id: true, quantity: true } })
  return new Map(lines.map(({ id, quantity }) => [id, quantity]))
}

/** A little more than any declaration is taken: 14 days, a weekend, and the hours of the zones. */
const withdrawableMs = 18 * 24 * 60 * 60_000

/** Whether the right of withdrawal from what began then may still run at a moment. */
export const mayBeWithdrawnFrom = (startedAt: Date | null, at: Date): boolean =>
  startedAt !== null && at.getTime() - startedAt.getTime() <= withdrawableMs

/** The newest purchases of a customer with a right of withdrawal that may still run, the newest first. */
export async function withdrawableOrders(sql: Sql, tenant: Tenant, customerId: string, now: Date): Promise<Order[]> {
  const paid_at = { gt: new Date(now.getTime() - withdrawableMs) }
  const where = { ...ownedBy(tenant), customer_id: customerId, withdrawal: { not: null }, paid_at }
  const rows = await sql.orders.findMany({ where, select: { id: true }, orderBy: { id: 'desc' }, take: 50 })
  const ids = rows.map(({ id }) => id)
  return (await findOrders(sql, tenant, ids)).reverse()
}
