import type { Currency } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { fragment, literal } from '../../platform/db/fragment.ts'
import { simulatedProvider } from '../payments/provider-data.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import { type OpenRecovery, openRecovery, type RecoveryKind } from '../recovery/rules/index.ts'
import { type BillingLine, isCharged, type Subscription } from './rules/index.ts'

/** What a subscription owes. */
export interface Owed {
  /** When the first period begins whose order waits for a payment, or was written off. Null if all periods are paid. */
  readonly unpaidFrom: Date | null
  /** The order in recovery. Null without a failed payment. */
  readonly recovery: OpenRecovery | null
}

/** A subscription with all that the API shows. */
export type ShownSubscription = Subscription & { readonly owed: Owed }

export const nothingOwed: Owed = { unpaidFrom: null, recovery: null }

/** Orders of the subscription `s`: its own, and the order of the checkout that sold it. */
const ownOrders = fragment`FROM orders o WHERE o.subscription_id = s.id`
const saleOrders = fragment`
  FROM checkout_lines l JOIN orders o ON o.checkout_id = l.checkout_id WHERE l.id = s.checkout_line_id`

/**
 * A period whose order was written off counts only if no later period is paid: after the undo of a change, a later renewal can pay
 * for the time that follows.
 */
const firstUnpaid = (orders: typeof ownOrders) => fragment`(
  SELECT min(p.start_at) FROM (SELECT o.id, o.status ${orders} AND o.status IN ('pending', 'canceled')) unpaid
  JOIN subscription_periods p ON p.order_id = unpaid.id AND p.subscription_id = s.id AND p.end_at > p.start_at
  WHERE unpaid.status = 'pending' OR NOT EXISTS (
    SELECT 1 FROM subscription_periods later LEFT JOIN orders paid ON paid.id = later.order_id
    WHERE later.subscription_id = s.id AND later.start_at > p.start_at AND later.end_at > later.start_at
      AND (paid.id IS NULL OR paid.status = 'paid')))`

/** When the first unpaid period of the subscription `s` begins. */
export const unpaidFromOf = fragment`least(${firstUnpaid(ownOrders)}, ${firstUnpaid(saleOrders)})`

/**
 * The open recovery of the subscription `s`. If several orders are in recovery: an order that ends the subscription before the
 * order of a change, which never does; then the oldest one.
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

/** After the bank returned the debit that paid the sale, nothing is paid, also if the subscription began with a trial. */
const unpaidSale = fragment`(SELECT s.started_at ${saleOrders} AND o.status = 'pending')`

/** The columns of a statement on subscriptions `s`, which `toOwed` reads. */
export const owedColumns = fragment`
  least(${unpaidFromOf}, ${unpaidSale}) AS "unpaidFrom", ${recoveryOf} AS recovery`

export interface OwedRow {
  readonly unpaidFrom: Date | null
  /** As JSON: a moment is text. */
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

/** What a subscription owes after lines were billed for a period that begins. An order of 0.00 is paid at once. */
export const owedAfter = (owed: Owed, { period }: Subscription, lines: readonly BillingLine[]): Owed =>
  period && isCharged(lines) ? { ...owed, unpaidFrom: owed.unpaidFrom ?? period.startAt } : owed

/** Until when a subscription is paid: the end of its period or trial, unless a period before is unpaid. */
export function paidUntil({ renewedUntil }: Pick<Subscription, 'renewedUntil'>, { unpaidFrom }: Owed): Date | null {
  if (!unpaidFrom || !renewedUntil) return unpaidFrom ?? renewedUntil
  return unpaidFrom < renewedUntil ? unpaidFrom : renewedUntil
}

/** What subscriptions owe, by their ids. */
export async function owedBy(sql: Sql, subscriptionIds: readonly string[]): Promise<ReadonlyMap<string, Owed>> {
  const rows = await sql.$queryRaw<(OwedRow & { id: string })[]>`
    SELECT s.id, ${owedColumns} FROM subscriptions s WHERE s.id = ANY(${subscriptionIds})`
  return new Map(rows.map((row) => [row.id, toOwed(row)]))
}

/** Adds to each subscription what it owes. */
export async function withOwed(sql: Sql, subscriptions: readonly Subscription[]): Promise<ShownSubscription[]> {
  if (subscriptions.length === 0) return []
  const owed = await owedBy(
    sql,
    subscriptions.map(({ id }) => id),
  )
  return subscriptions.map((each) => ({ ...each, owed: owed.get(each.id) ?? nothingOwed }))
}

/** As `owedBy`, for one subscription. */
export const owedByOne = async (sql: Sql, subscriptionId: string): Promise<Owed> =>
  (await owedBy(sql, [subscriptionId])).get(subscriptionId) ?? nothingOwed
