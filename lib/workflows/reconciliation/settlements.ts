import { formatDecimal } from '../../kernel/money.ts'
import { paidToCompare } from '../../modules/payments/compare-store.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { BookedSettlement } from '../../modules/payments/provider-data.ts'
import { type Difference, unknownStorefront, unsettledPayment } from '../../modules/reconciliations/rules/compare.ts'
import { compareSettlement } from '../../modules/reconciliations/rules/settlement.ts'
import type { KeptSettlement } from '../../modules/reconciliations/store.ts'
import { db } from '../../platform/db/db.ts'
import { withUsedPayments } from './used-payments.ts'
import { differencesIn, everyPage, ourPayment, type UnknownStorefronts } from './with-provider.ts'

interface Span {
  readonly since: Date
  /** Each payment that was created and paid between `since` and this time must be in a settlement. */
  readonly settledUntil: Date
  /** The end of the compared time. The provider's responses may lack changes that were made later. */
  readonly until: Date
}

interface Compared {
  readonly settlements: readonly KeptSettlement[]
  readonly differences: readonly Difference[]
}

/** Checks the sums of each settlement, and compares our payments with the settlements. Returns null if the provider reports no settlements. */
export async function compareSettlements(provider: PaymentProvider, span: Span): Promise<Compared | null> {
  const booked = await provider.settlements?.(span.since)
  if (!booked) return null
  const settlements: KeptSettlement[] = []
  const differences: Difference[] = []
  const unknown: UnknownStorefronts = new Map()
  const settled = new Set<string>()
  for await (const each of booked) {
    const settlement = { ...each, ...(await withUsedPayments(each)) }
    settlements.push(kept(each))
    differences.push(...compareSettlement(settlement.sums), ...(await differencesIn(settlement, span, unknown)))
    for (const { paymentId } of settlement.payments) if (paymentId !== null) settled.add(paymentId)
  }
  differences.push(...[...unknown].map(([id, moved]) => unknownStorefront(id, moved)))
  const { since, settledUntil: until } = span
  for await (const ours of everyPage((after) => paidToCompare(db(), provider.name, { since, until, after })))
    if (!settled.has(ours.id)) differences.push(unsettledPayment(ourPayment(ours, until)))
  return { settlements, differences }
}

function kept({ sums, settledAt, payments, refunds, chargebacks }: BookedSettlement): KeptSettlement {
  const { ref, reference, status, currency, amount, revenue, costs } = sums
  const written = (value: bigint) => formatDecimal(value, 4)
  return {
    ref,
    reference,
    status,
    settledAt: settledAt?.toISOString() ?? null,
    currency,
    amount: written(amount),
    revenue: written(revenue),
    costs: written(costs),
    payments: payments.length,
    refunds: refunds.length,
    chargebacks: chargebacks.length,
  }
}
