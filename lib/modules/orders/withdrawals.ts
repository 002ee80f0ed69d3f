import { hostedPath } from '../../kernel/hosted-pages.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { linkToken, openLinkToken, seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Order } from './rules/order.ts'
import { findOrders, orderOfCheckoutLine } from './store.ts'

export interface DeclaredWithdrawal {
  readonly orderId: string
  /** The withdrawn units by checkout line. A unit cannot be withdrawn twice. */
  readonly lines: readonly { readonly checkoutLineId: string; readonly quantity: number }[]
  /** `portal`: the browser had an open portal session. `link`: the buyer used the link of an email, without a portal session. */
  readonly source: 'portal' | 'link'
  readonly name: string
  /** The canonical email address that received the acknowledgment. */
  readonly email: string
  readonly statement: string
  readonly declaredAt: Date
}

export const withdrawalPath = (orderId: string): string => hostedPath('withdrawal', linkToken('withdrawal', orderId))

export const openWithdrawalToken = (token: string): string | null => openLinkToken('withdrawal', 'order_', token)

export const sealedAt = (orderId: string) => `order_withdrawals|${orderId}|sealed`

/** Lock the order before you call this function. */
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
      if (quantity === undefined) throw new Error('the checkout line of a withdrawal does not exist')
      return { checkoutLineId, quantity }
    }),
  }))
}

type Words = Pick<DeclaredWithdrawal, 'name' | 'email' | 'statement'>

/** Returns the decrypted texts of a withdrawal, or empty texts if the encryption key is lost. */
const wordsOf = (row: { order_id: string; sealed: Uint8Array }): Words =>
  JSON.parse(unsealIfOpenable(row.sealed, sealedAt(row.order_id)) ?? '{ "name": "", "email": "", "statement": "" }')

export interface WithdrawnLine {
  readonly order: Order
  readonly declared: readonly { readonly quantity: number; readonly declaredAt: Date }[]
}

export async function linesWithdrawnFrom(sql: Sql, checkoutLineIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT line.id FROM checkout_lines line JOIN orders o ON o.checkout_id = line.checkout_id
    JOIN order_withdrawals w ON w.order_id = o.id AND line.id = ANY (w.checkout_line_ids)
    WHERE line.id = ANY (${[...checkoutLineIds]}::text[])`
  return new Set(rows.map(({ id }) => id))
}

export async function withdrawnLine(sql: Sql, tenant: Tenant, checkoutLineId: string): Promise<WithdrawnLine | null> {
  const order = await orderOfCheckoutLine(sql, tenant, checkoutLineId)
  const declared = (order ? await findWithdrawals(sql, order.id) : []).flatMap(({ lines, declaredAt }) =>
    lines.flatMap((line) => (line.checkoutLineId === checkoutLineId ? { quantity: line.quantity, declaredAt } : [])),
  )
  return order && declared.length > 0 ? { order, declared } : null
}

/**
 * Whether a row records only whole lines and has `quantities` NULL. An older version of the service, which can run
 * during a deployment, writes such rows.
 */
const isOfWholeLines = (row: { readonly quantities: readonly number[] | null }): boolean => row.quantities === null

async function boughtOf(sql: Sql, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const lines = await sql.checkout_lines.findMany({ where: { id: { in: ids } }, select: { id: true, quantity: true } })
  return new Map(lines.map(({ id, quantity }) => [id, quantity]))
}

/** 18 days: slightly longer than the period in which a declaration is accepted (14 days, a weekend, and the time zones). */
const withdrawableMs = 18 * 24 * 60 * 60_000

export const mayBeWithdrawnFrom = (startedAt: Date | null, at: Date): boolean =>
  startedAt !== null && at.getTime() - startedAt.getTime() <= withdrawableMs

export async function withdrawableOrders(sql: Sql, tenant: Tenant, customerId: string, now: Date): Promise<Order[]> {
  const paid_at = { gt: new Date(now.getTime() - withdrawableMs) }
  const where = { ...ownedBy(tenant), customer_id: customerId, withdrawal: { not: null }, paid_at }
  const rows = await sql.orders.findMany({ where, select: { id: true }, orderBy: { id: 'desc' }, take: 50 })
  const ids = rows.map(({ id }) => id)
  return (await findOrders(sql, tenant, ids)).reverse()
}
