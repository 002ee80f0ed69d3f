import type { Currency } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { fragment, literal } from '../../platform/db/fragment.ts'
import { simulatedProvider } from '../payments/provider-data.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import { type OpenRecovery, openRecovery, type RecoveryKind } from '../recovery/rules/index.ts'
import { type BillingLine, isCharged, type Subscription } from './rules/index.ts'

export interface Owed {
  /** The start of the first period whose order is unpaid or written off; null if all periods are paid. */
  readonly unpaidFrom: Date | null
  readonly recovery: OpenRecovery | null
}

export type ShownSubscription = Subscription & { readonly owed: Owed }

export const nothingOwed: Owed = { unpaidFrom: null, recovery: null }

const ownOrders = fragment`FROM orders o WHERE o.subscription_id = s.id`
const saleOrders = fragment`
  FROM checkout_lines l JOIN orders o ON o.checkout_id = l.checkout_id WHERE l.id = s.checkout_line_id`

/**
 * A written-off period counts as unpaid only if no later period is paid. The reason: after a change is undone, a later
 * renewal can pay for the time of the written-off period.
 */
const firstUnpaid = (orders: typeof ownOrders) => fragment`(
  SELECT min(p.start_at) FROM (SELECT o.id, o.status ${orders} AND o.status IN ('pending', 'canceled')) unpaid
  JOIN subscription_periods p ON p.order_id = unpaid.id AND p.subscription_id = s.id AND p.end_at > p.start_at
  WHERE unpaid.status = 'pending' OR NOT EXISTS (
    SELECT 1 FROM subscription_periods later LEFT JOIN orders paid ON paid.id = later.order_id
    WHERE later.subscription_id = s.id AND later.start_at > p.start_at AND later.end_at > later.start_at
      AND (paid.id IS NULL OR paid.status = 'paid')))`

export const unpaidFromOf = fragment`least(${firstUnpaid(ownOrders)}, ${firstUnpaid(saleOrders)})`

/**
 * Selects one open recovery of the subscription. Selects the recovery of a change only if no other recovery is open,
 * because the recovery of a change never ends the subscription.
 */
const recoveryOf = fragment`(
  SELECT json_build_object('orderId', r.order_id, 'subscriptionId', r.subscription_id, 'kind', r.kind,
    'stepsDone', r.steps_done, 'nextStepAt', r.next_step_at, 'reason', r.last_failure_reason, 'failedAt', r.last_failed_at,
    'total', due.total::text, 'currency', due.currency, 'isSimulated', EXISTS (
      SELECT 1 FROM payments p WHERE p.open_order_id = r.order_id AND p.provider = ${literal(simulatedProvider)}))
  FROM (
    SELECT own.id FROM recoveries own WHERE own.subscription_id = s.id AND own.status = 'open'
    UNION SELECT sale.id FROM (SELECT o.id ${saleOrders}) sold JOIN recoveries sale ON sale.order_id = sold.id
      WHERE sale.status = 'open') open
  JOIN recoveries r ON r.id = open.id JOIN orders due ON due.id = r.order_id
  ORDER BY r.collects = 'change', r.id LIMIT 1)`

/**
 * The subscription is unpaid from its start, including a trial at its start, if the bank returned the debit that paid
 * the sale.
 */
const unpaidSale = fragment`(SELECT s.started_at ${saleOrders} AND o.status = 'pending')`

export const owedColumns = fragment`
  least(${unpaidFromOf}, ${unpaidSale}) AS "unpaidFrom", ${recoveryOf} AS recovery`

export interface OwedRow {
  readonly unpaidFrom: Date | null
  readonly recovery: {
    readonly orderId: string
    readonly subscriptionId: string | null
    readonly kind: RecoveryKind
    readonly stepsDone: number
    readonly nextStepAt: string | null
    readonly reason: FailureReason
    readonly failedAt: string
    readonly total: string
    readonly currency: Currency
    readonly isSimulated: boolean
  } | null
}

export const toOwed = ({ unpaidFrom, recovery }: OwedRow): Owed => ({
  unpaidFrom,
  recovery: recovery && toOpenRecovery(recovery),
})

const toOpenRecovery = ({
  nextStepAt,
  reason,
  failedAt,
  total,
  currency,
  isSimulated,
  ...recovery
}: NonNullable<OwedRow['recovery']>): OpenRecovery =>
  openRecovery(
    {
      ...recovery,
      nextStepAt: nextStepAt === null ? null : new Date(nextStepAt),
      lastFailure: { reason, at: new Date(failedAt) },
    },
    { amountDue: { minor: BigInt(total), currency }, isSimulated },
  )

/** An order of 0.00 is paid immediately and adds no debt. */
export const owedAfter = (owed: Owed, { period }: Subscription, lines: readonly BillingLine[]): Owed =>
  period && isCharged(lines) ? { ...owed, unpaidFrom: owed.unpaidFrom ?? period.startAt } : owed

/** Returns the end of the period or trial, or the start of the first unpaid period if that is earlier. */
export function paidUntil({ renewedUntil }: Pick<Subscription, 'renewedUntil'>, { unpaidFrom }: Owed): Date | null {
  if (!unpaidFrom || !renewedUntil) return unpaidFrom ?? renewedUntil
  return unpaidFrom < renewedUntil ? unpaidFrom : renewedUntil
}

export async function owedBy(sql: Sql, subscriptionIds: readonly string[]): Promise<ReadonlyMap<string, Owed>> {
  const rows = await sql.$queryRaw<(OwedRow & { id: string })[]>`
    SELECT s.id, ${owedColumns} FROM subscriptions s WHERE s.id = ANY(${subscriptionIds})`
  return new Map(rows.map((row) => [row.id, toOwed(row)]))
}

export async function withOwed(sql: Sql, subscriptions: readonly Subscription[]): Promise<ShownSubscription[]> {
  if (subscriptions.length === 0) return []
  const owed = await owedBy(
    sql,
    subscriptions.map(({ id }) => id),
  )
  return subscriptions.map((each) => ({ ...each, owed: owed.get(each.id) ?? nothingOwed }))
}

export const owedByOne = async (sql: Sql, subscriptionId: string): Promise<Owed> =>
  (await owedBy(sql, [subscriptionId])).get(subscriptionId) ?? nothingOwed
