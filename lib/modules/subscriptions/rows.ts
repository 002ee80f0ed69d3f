import type { BillingInterval } from '../../kernel/calendar.ts'
import type { Currency } from '../../kernel/money.ts'
import { dbNull, type Sql } from '../../platform/db/db.ts'
import type { BillingDetails } from '../customers/rules/billing-details.ts'
import type { PlanTerms, ScheduledUpdate, Subscription } from './rules/index.ts'
import type { Period, ProrationLine } from './rules/subscription.ts'

export const toColumns = (subscription: Subscription) => ({
  name: subscription.name,
  description: subscription.description,
  billing_address: { ...subscription.billingAddress },
  currency: subscription.price.currency,
  price: subscription.price.minor,
  tax_behavior: subscription.taxBehavior,
  quantity: subscription.quantity,
  interval: subscription.billingInterval.interval,
  interval_count: subscription.billingInterval.intervalCount,
  status: subscription.status,
  resumes_to: subscription.resumesTo,
  cancellation_reason: subscription.cancellationReason,
  mandate_id: subscription.mandate?.id ?? null,
  subscription_plan_id: subscription.planId,
  anchor_at: subscription.anchorAt,
  cycle: subscription.cycleNumber,
  period_start: subscription.period?.startAt ?? null,
  period_end: subscription.period?.endAt ?? null,
  period_seconds: subscription.period?.seconds ?? null,
  period_paid: subscription.period?.paid ?? null,
  started_at: subscription.startedAt,
  ended_at: subscription.endedAt,
  canceled_at: subscription.canceledAt,
  renewed_at: subscription.renewedAt,
  renewed_until: subscription.renewedUntil,
  trial_until: subscription.trialUntil,
  scheduled_update: stored(subscription.scheduledUpdate && storedUpdate(subscription.scheduledUpdate)),
  parked: stored(subscription.parked.length > 0 ? subscription.parked : null),
  metadata: subscription.metadata,
})

export const stored = (value: object | null) =>
  value === null
    ? dbNull
    : JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)))

/** The column stores the billing interval of a scheduled plan under the older name `cycle`. */
const storedUpdate = ({ plan, ...update }: ScheduledUpdate) => ({ ...update, plan: plan && storedPlan(plan) })

const storedPlan = ({ billingInterval, ...plan }: PlanTerms) => ({ ...plan, cycle: billingInterval })

type RowOf<Table extends 'subscriptions' | 'mandates' | 'cancellation_feedback'> = Awaited<
  ReturnType<Sql[Table]['findUniqueOrThrow']>
>
type Row = RowOf<'subscriptions'> & {
  readonly mandate: RowOf<'mandates'> | null
  readonly cancellation_feedback: readonly Pick<RowOf<'cancellation_feedback'>, 'reason' | 'comment'>[]
}

export const toSubscription = (row: Row): Subscription => ({
  id: row.id,
  testmode: row.testmode,
  customerId: row.customer_id,
  planId: row.subscription_plan_id,
  checkoutLineId: row.checkout_line_id,
  name: row.name,
  description: row.description,
  billingAddress: row.billing_address as BillingDetails,
  price: { minor: row.price, currency: row.currency },
  taxBehavior: row.tax_behavior,
  quantity: row.quantity,
  billingInterval: { interval: row.interval, intervalCount: row.interval_count },
  status: row.status,
  resumesTo: row.resumes_to,
  mandate: row.mandate && {
    id: row.mandate.id,
    provider: row.mandate.provider,
    method: row.mandate.method,
    maskedIdentifier: row.mandate.masked_identifier,
    reference: row.mandate.reference,
    status: row.mandate.status,
  },
  anchorAt: row.anchor_at,
  cycleNumber: row.cycle,
  period: toPeriod(row),
  startedAt: row.started_at,
  endedAt: row.ended_at,
  canceledAt: row.canceled_at,
  cancellationReason: row.cancellation_reason,
  cancellationFeedback: row.cancellation_feedback[0] ?? null,
  renewedAt: row.renewed_at,
  renewedUntil: row.renewed_until,
  trialUntil: row.trial_until,
  scheduledUpdate: toScheduledUpdate(row.scheduled_update),
  parked: toParked(row.parked),
  metadata: row.metadata,
  locale: row.locale,
  createdAt: row.created_at,
})

const toPeriod = (row: Row): Period | null =>
  row.period_start === null || row.period_end === null || row.period_seconds === null || row.period_paid === null
    ? null
    : { startAt: row.period_start, endAt: row.period_end, seconds: row.period_seconds, paid: row.period_paid }

interface StoredMoney {
  minor: string
  currency: Currency
}
interface StoredPlan {
  planId: string
  name: string
  description: string
  price: StoredMoney
  cycle: BillingInterval
}
interface StoredUpdate {
  plan: StoredPlan | null
  price: StoredMoney | null
  quantity: number | null
  anchor: string | null
  prorate: boolean
}
type StoredLine = Record<'kind' | 'name' | 'from' | 'until' | 'amount', string> &
  Pick<ProrationLine, 'quantity' | 'change'>

export const toMoney = ({ minor, currency }: StoredMoney) => ({ minor: BigInt(minor), currency })

const toPlan = ({ cycle, price, ...plan }: StoredPlan): PlanTerms => ({
  ...plan,
  price: toMoney(price),
  billingInterval: cycle,
})

function toScheduledUpdate(value: unknown): ScheduledUpdate | null {
  if (value === null) return null
  const { plan, price, quantity, anchor, prorate } = value as unknown as StoredUpdate
  return {
    plan: plan && toPlan(plan),
    price: price && toMoney(price),
    quantity,
    anchor: anchor === null || anchor === 'renewal' ? anchor : new Date(anchor),
    prorate,
  }
}

export const toParked = (value: unknown): ProrationLine[] =>
  ((value ?? []) as unknown as StoredLine[]).map(({ kind, name, quantity, from, until, amount, change }) => ({
    kind: kind as ProrationLine['kind'],
    name,
    quantity,
    from: new Date(from),
    until: new Date(until),
    amount: BigInt(amount),
    ...(change && { change }),
  }))
