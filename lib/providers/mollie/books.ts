import type { z } from 'zod'
import type { Booked } from '../../modules/payments/provider-data.ts'
import { ask } from './client.ts'
import { mollieListedRefund, molliePayment, pageOf } from './shapes.ts'

/** The payments and the refunds of the account since a moment, a page at a time. */
export async function* booked(since: Date): AsyncGenerator<Booked> {
  for await (const payments of pagesOf('payments', molliePayment, since))
    yield {
      payments: payments.map(({ id, metadata, amount, status }) => ({
        ...{ ref: id, paymentId: metadata?.payment ?? null, amount: written(amount), isPaid: status === 'paid' },
      })),
      refunds: [],
    }
  for await (const refunds of pagesOf('refunds', mollieListedRefund, since))
    yield {
      payments: [],
      refunds: refunds.map(({ id, metadata, paymentId, amount, status }) => ({
        ...{ ref: id, refundId: metadata?.refund ?? null, paymentRef: paymentId, amount: written(amount) },
        hasFailed: status === 'failed' || status === 'canceled',
      })),
    }
}

const written = ({ value, currency }: { value: string; currency: string }): string => `${value} ${currency}`

/** A list, the newest first, as far as it was made since a moment. */
async function* pagesOf<Item extends { createdAt: Date }>(
  name: 'payments' | 'refunds',
  item: z.ZodType<Item>,
  since: Date,
): AsyncGenerator<Item[]> {
  for (let path: string | null = `${name}?limit=250`; path; ) {
    const page: { items: Item[]; next: string | null } = await ask(pageOf(name, item), { method: 'GET', path })
    const items = page.items.filter(({ createdAt }) => createdAt >= since)
    yield items
    const from = page.next === null ? null : new URL(page.next).searchParams.get('from')
    const isLast = items.length < page.items.length || !from
    path = isLast ? null : `${name}?limit=250&from=${encodeURIComponent(from)}`
  }
}
