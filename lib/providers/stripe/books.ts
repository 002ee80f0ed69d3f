import type Stripe from 'stripe'
import { lookUp } from '../../kernel/look-up.ts'
import { formatDecimal } from '../../kernel/money.ts'
import type { RecentChargeback } from '../../modules/payments/provider.ts'
import type { Booked, BookedSettlement } from '../../modules/payments/provider-data.ts'
import { chargebackRef, chargeOf, idOf, included, mandateRef, moneyReturned, takesMoney } from './answers.ts'
import type { Ask } from './client.ts'
import type { ReadCharge, ReadDispute, ReadPaymentIntent, ReadPayout, ReadRefund, ReadTransaction } from './read.ts'
import { refsOfIntents } from './store.ts'

const nothing: Booked = { payments: [], refunds: [], chargebacks: [] }
const secondOf = (moment: Date): number => Math.floor(moment.getTime() / 1000)

export async function* booked(ask: Ask, since: Date): AsyncGenerator<Booked> {
  const created = { gte: secondOf(since) }
  const charges = { limit: 100, expand: ['data.latest_charge'] }
  const intents = pagesOf((after) => ask((api) => api.paymentIntents.list({ created, ...charges, ...after })))
  for await (const page of intents) yield { ...nothing, payments: page.map(bookedIntent) }
  const refunds = pagesOf((after) => ask((api) => api.refunds.list({ created, limit: 100, ...after })))
  for await (const page of refunds) yield { ...nothing, refunds: await bookedRefunds(page) }
  const disputes = pagesOf((after) => ask((api) => api.disputes.list({ created, limit: 100, ...after })))
  for await (const page of disputes) yield { ...nothing, chargebacks: await bookedChargebacks(page) }
}

export async function* recentChargebacks(ask: Ask, since?: Date): AsyncGenerator<RecentChargeback[]> {
  const of = { limit: 100, ...(since && { created: { gte: secondOf(since) } }) }
  for await (const page of pagesOf((after) => ask((api) => api.disputes.list({ ...of, ...after }))))
    yield (await bookedChargebacks(page)).flatMap(({ ref, paymentRef, isReversed }) =>
      paymentRef === null ? [] : { ref, paymentRef, isReversed },
    )
}

/**
 * Returns the settlements. Returns null if all payouts are manual, because Stripe does not report the contents of
 * manual payouts.
 */
export async function settlements(ask: Ask, since: Date): Promise<AsyncIterable<BookedSettlement> | null> {
  const created = { gte: secondOf(since) }
  const pages = pagesOf((after) => ask((api) => api.payouts.list({ created, limit: 100, ...after })))
  const payouts: ReadPayout[] = []
  for await (const page of pages) payouts.push(...page)
  const automatic = payouts.filter((each) => each.automatic)
  return payouts.length > 0 && automatic.length === 0 ? null : settled(ask, automatic)
}

async function* settled(ask: Ask, payouts: readonly ReadPayout[]): AsyncGenerator<BookedSettlement> {
  for (const payout of payouts) {
    if (payout.reconciliation_status !== 'completed') continue
    const of = { payout: payout.id, limit: 100, expand: ['data.source'] }
    const pages = pagesOf((after) => ask((api) => api.balanceTransactions.list({ ...of, ...after })))
    const all: ReadTransaction[] = []
    for await (const page of pages) all.push(...page.filter(({ type }) => !type.startsWith('payout')))
    const sourcesOf = <Source extends object>(...categories: readonly string[]): Source[] =>
      all.flatMap(({ reporting_category, source }) =>
        categories.includes(reporting_category) ? ((included(source as string | Source) ?? []) as Source) : [],
      )
    yield {
      sums: sumsOf(payout, all),
      settledAt: payout.status === 'paid' ? new Date(1000 * payout.arrival_date) : null,
      payments: sourcesOf<ReadCharge>('charge').map((each) => ({
        ...taken(each),
        isPaid: each.status === 'succeeded',
        isRefunded: isRefunded(each),
      })),
      refunds: await bookedRefunds(unique(sourcesOf<ReadRefund>('refund', 'refund_failure'))),
      chargebacks: await bookedChargebacks(unique(sourcesOf<ReadDispute>('dispute', 'dispute_reversal'))),
    }
  }
}

/** A failed refund and a won dispute each have two transactions, one for each direction of the money. This function removes the duplicates. */
const unique = <Item extends { id: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

const statuses: Readonly<Record<string, BookedSettlement['sums']['status']>> = {
  paid: 'paid',
  failed: 'failed',
  canceled: 'failed',
}

/** Sums in ten-thousandths of the currency unit. Costs include the fee of each transaction. */
function sumsOf(
  { id, status, amount, currency, statement_descriptor, trace_id }: ReadPayout,
  all: readonly ReadTransaction[],
): BookedSettlement['sums'] {
  const sum = (of: (transaction: ReadTransaction) => number) =>
    all.reduce((total, transaction) => total + BigInt(of(transaction)) * 100n, 0n)
  const isFee = ({ reporting_category }: ReadTransaction) => reporting_category === 'fee'
  return {
    ref: id,
    reference: trace_id?.value ?? statement_descriptor,
    currency: currency.toUpperCase(),
    amount: BigInt(amount) * 100n,
    status: lookUp(statuses, status) ?? 'pending',
    revenue: sum((each) => (isFee(each) ? 0 : each.amount)),
    costs: sum((each) => each.fee - (isFee(each) ? each.amount : 0)),
  }
}

const taken = ({ id, metadata, amount, currency }: ReadPaymentIntent | ReadCharge) => ({
  ref: id,
  paymentId: metadata.payment ?? null,
  storefrontId: metadata.storefront ?? null,
  amount: written(amount, currency),
})

const isRefunded = ({ amount, amount_refunded }: ReadCharge): boolean => amount > 0 && amount_refunded >= amount

function bookedIntent(intent: ReadPaymentIntent): Booked['payments'][number] {
  const charge = chargeOf(intent)
  const [customer, method] = [idOf(intent.customer), idOf(intent.payment_method)]
  return {
    ...taken(intent),
    isPaid: intent.status === 'succeeded',
    isRefunded: charge !== null && isRefunded(charge),
    made: {
      isPending: intent.status === 'processing',
      moneyReturned: charge !== null && moneyReturned(charge),
      mandateRef: customer && method ? mandateRef(customer, method) : null,
      orderId: intent.metadata.order ?? null,
      createdAt: new Date(1000 * intent.created),
    },
  }
}

async function bookedRefunds(refunds: readonly ReadRefund[]): Promise<Booked['refunds']> {
  const refs = await refsOfIntents(refunds.map(({ payment_intent }) => idOf(payment_intent) ?? ''))
  return refunds.map(({ id, metadata, payment_intent, amount, currency, status }) => ({
    ref: id,
    refundId: metadata?.refund ?? null,
    amount: written(amount, currency),
    paymentRef: refs.get(idOf(payment_intent) ?? '') ?? null,
    storefrontId: metadata?.storefront ?? null,
    hasFailed: status === 'failed' || status === 'canceled',
  }))
}

async function bookedChargebacks(disputes: readonly ReadDispute[]): Promise<Booked['chargebacks']> {
  const those = disputes.filter(takesMoney)
  const refs = await refsOfIntents(those.map(({ payment_intent }) => idOf(payment_intent) ?? ''))
  return those.map(({ id, payment_intent, amount, currency, status }) => {
    const paymentRef = refs.get(idOf(payment_intent) ?? '') ?? null
    const ref = paymentRef === null ? id : chargebackRef(paymentRef, id)
    return { ref, paymentRef, amount: written(amount, currency), isReversed: status === 'won' }
  })
}

const written = (cents: number, currency: string): string =>
  `${formatDecimal(BigInt(cents), 2)} ${currency.toUpperCase()}`

async function* pagesOf<Item extends { id: string }>(
  read: (after: { starting_after?: string }) => Promise<Stripe.ApiList<Item>>,
): AsyncGenerator<Item[]> {
  for (let after: string | undefined; ; ) {
    const { data, has_more } = await read(after ? { starting_after: after } : {})
    yield data
    after = data.at(-1)?.id
    if (!has_more || !after) return
  }
}
