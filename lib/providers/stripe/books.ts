import type Stripe from 'stripe'
import { formatDecimal } from '../../kernel/money.ts'
import type { Booked } from '../../modules/payments/provider-data.ts'
import { chargebackRef, idOf, takesMoney } from './answers.ts'
import type { Ask } from './client.ts'
import { refsOfIntents } from './store.ts'

/** The payments, refunds and disputes of the account since a moment, a page at a time. */
export async function* booked(ask: Ask, since: Date): AsyncGenerator<Booked> {
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const intents = pagesOf((after) => ask((api) => api.paymentIntents.list({ created, limit: 100, ...after })))
  for await (const page of intents)
    yield {
      payments: page.map(({ id, metadata, amount, currency, status }) => ({
        ...{ ref: id, paymentId: metadata.payment ?? null, amount: written(amount, currency) },
        isPaid: status === 'succeeded',
      })),
      ...{ refunds: [], chargebacks: [] },
    }
  const refunds = pagesOf((after) => ask((api) => api.refunds.list({ created, limit: 100, ...after })))
  for await (const page of refunds) {
    const refs = await refsOfIntents(page.map(({ payment_intent }) => idOf(payment_intent) ?? ''))
    yield {
      ...{ payments: [], chargebacks: [] },
      refunds: page.map(({ id, metadata, payment_intent, amount, currency, status }) => ({
        ...{ ref: id, refundId: metadata?.refund ?? null, amount: written(amount, currency) },
        ...{ paymentRef: refs.get(idOf(payment_intent) ?? '') ?? null },
        hasFailed: status === 'failed' || status === 'canceled',
      })),
    }
  }
  const disputes = pagesOf((after) => ask((api) => api.disputes.list({ created, limit: 100, ...after })))
  for await (const page of disputes) {
    const taken = page.filter(takesMoney)
    const refs = await refsOfIntents(taken.map(({ payment_intent }) => idOf(payment_intent) ?? ''))
    yield {
      ...{ payments: [], refunds: [] },
      chargebacks: taken.map(({ id, payment_intent, amount, currency, status }) => {
        const paymentRef = refs.get(idOf(payment_intent) ?? '') ?? null
        const ref = paymentRef === null ? id : chargebackRef(paymentRef, id)
        return { ref, paymentRef, amount: written(amount, currency), isReversed: status === 'won' }
      }),
    }
  }
}

/** Of currencies with two decimals, as all are that we charge. */
const written = (cents: number, currency: string): string =>
  `${formatDecimal(BigInt(cents), 2)} ${currency.toUpperCase()}`

/** A list, the newest first. */
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
