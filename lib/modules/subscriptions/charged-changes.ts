import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { stored, toMoney, toParked } from './rows.ts'
import type { ChargedChange, Snapshot } from './rules/charged-change.ts'
import type { Subscription, Terms } from './rules/subscription.ts'

/** Call all functions of this file with the subscription locked. */

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

/** The change that an order charged; null for any other order. */
export async function changeOfOrder(sql: Sql, orderId: string): Promise<ChargedChange | null> {
  const row = await sql.charged_changes.findUnique({ where: { order_id: orderId } })
  return row && toChange(row)
}

type Row = Awaited<ReturnType<Sql['charged_changes']['findUniqueOrThrow']>>

const toChange = (row: Row): ChargedChange => ({
  orderId: row.order_id,
  subscriptionId: row.subscription_id,
  before: toSnapshot(row.before),
  after: toSnapshot(row.after),
})

/** Amounts are stored as strings and moments in ISO 8601. */
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
