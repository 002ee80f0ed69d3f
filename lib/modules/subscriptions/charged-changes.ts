import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { stored, toMoney, toParked } from './rows.ts'
import type { ChargedChange, Snapshot } from './rules/charged-change.ts'
import type { Subscription, Terms } from './rules/subscription.ts'

/** Lock the subscription before you call a function of this file, except `changesAmong`. */

export async function insertChargedChange(sql: Sql, tenant: Tenant, change: ChargedChange): Promise<void> {
  const { orderId, subscriptionId, before, after } = change
  await sql.charged_changes.create({
    data: {
      order_id: orderId,
      ...ownedBy(tenant),
      subscription_id: subscriptionId,
      before: stored(before),
      after: stored(after),
    },
    select: { order_id: true },
  })
}

export async function changeOfOrder(sql: Sql, orderId: string): Promise<ChargedChange | null> {
  const row = await sql.charged_changes.findUnique({ where: { order_id: orderId } })
  return row && toChange(row)
}

export async function changesAmong(sql: Sql, orderIds: string[]): Promise<Set<string>> {
  const where = { order_id: { in: orderIds } }
  return new Set((await sql.charged_changes.findMany({ where, select: { order_id: true } })).map((row) => row.order_id))
}

export async function saveChargedChange(
  sql: Sql,
  { orderId, before, after, isTakenBack }: ChargedChange,
): Promise<void> {
  const data = { before: stored(before), after: stored(after), taken_back: isTakenBack }
  await sql.charged_changes.update({ where: { order_id: orderId }, data, select: { order_id: true } })
}

/** Returns the changes with a pending or paid order, oldest first. If `afterOrderId` is set, returns only changes with a later order. */
export async function changesThatCount(
  sql: Sql,
  subscriptionId: string,
  afterOrderId = '',
): Promise<(ChargedChange & { readonly isPaid: boolean })[]> {
  const statuses = await sql.$queryRaw<{ id: string; status: string }[]>`
    SELECT o.id, o.status FROM charged_changes c JOIN orders o ON o.id = c.order_id
    WHERE c.subscription_id = ${subscriptionId} AND c.order_id > ${afterOrderId} AND o.status IN ('pending', 'paid')
    ORDER BY o.id`
  if (statuses.length === 0) return []
  const where = { order_id: { in: statuses.map(({ id }) => id) } }
  const changes = (await sql.charged_changes.findMany({ where })).map(toChange)
  return statuses.flatMap(({ id, status }) => {
    const change = changes.find(({ orderId }) => orderId === id)
    return change ? [{ ...change, isPaid: status === 'paid' }] : []
  })
}

type Row = Awaited<ReturnType<Sql['charged_changes']['findUniqueOrThrow']>>

const toChange = (row: Row): ChargedChange => ({
  orderId: row.order_id,
  subscriptionId: row.subscription_id,
  before: toSnapshot(row.before),
  after: toSnapshot(row.after),
  isTakenBack: row.taken_back,
})

type Stored<Value> = Value extends bigint | Date
  ? string
  : Value extends readonly (infer Each)[]
    ? Stored<Each>[]
    : Value extends object
      ? { [Key in keyof Value]: Stored<Value[Key]> }
      : Value

function toSnapshot(value: unknown): Snapshot {
  const { terms, cycle, parked } = value as Stored<Snapshot>
  return { terms: toTerms(terms), cycle: toCycle(cycle), parked: toParked(parked) }
}

const toTerms = ({ price, ...terms }: Stored<Terms>): Terms => ({ ...terms, price: toMoney(price) })

function toCycle({ anchorAt, cycleNumber, renewedUntil, period }: Stored<Snapshot['cycle']>): Snapshot['cycle'] {
  const moment = (text: string | null) => (text === null ? null : new Date(text))
  return { anchorAt: moment(anchorAt), cycleNumber, renewedUntil: moment(renewedUntil), period: toPeriod(period) }
}

const toPeriod = (period: Stored<Subscription['period']>): Subscription['period'] =>
  period && {
    startAt: new Date(period.startAt),
    endAt: new Date(period.endAt),
    seconds: BigInt(period.seconds),
    paid: BigInt(period.paid),
  }
