import type { z } from 'zod'
import type { RecentChargeback } from '../../modules/payments/provider.ts'
import type { Booked, BookedSettlement } from '../../modules/payments/provider-data.ts'
import { chargebackRef, isKnownStatus, mandateRef, moneyReturned, statusOf } from './answers.ts'
import type { Ask } from './client.ts'
import {
  type MollieSettlement,
  mollieChargeback,
  mollieListedRefund,
  molliePayment,
  molliePermission,
  mollieSettlement,
  pageOf,
} from './shapes.ts'

type Item<Shape extends z.ZodType> = z.output<Shape>
const nothing: Booked = { payments: [], refunds: [], chargebacks: [] }

export async function* booked(ask: Ask, since: Date): AsyncGenerator<Booked> {
  for await (const items of pagesOf(ask, lists.payments, since))
    yield { ...nothing, payments: items.map((each) => ({ ...payment(each), made: made(each) })) }
  for await (const items of pagesOf(ask, lists.refunds, since)) yield { ...nothing, refunds: items.map(refund) }
  for await (const items of pagesOf(ask, lists.chargebacks, since))
    yield { ...nothing, chargebacks: items.map(chargeback) }
}

/**
 * Returns pages of up to 250 chargebacks, newest first. A search for missed chargebacks ends at the first page without
 * one, so small pages could end the search too early.
 */
export async function* recentChargebacks(ask: Ask, since = new Date(0)): AsyncGenerator<RecentChargeback[]> {
  for await (const items of pagesOf(ask, lists.chargebacks, since))
    yield items.map((each) => ({
      ref: chargebackRef(each),
      paymentRef: each.paymentId,
      isReversed: Boolean(each.reversedAt),
    }))
}

/** Permissions of the access token for reading settlements. */
const neededPermissions = ['settlements.read', 'payments.read', 'refunds.read']

export async function missingPermissions(ask: Ask): Promise<string[]> {
  const request = { method: 'GET', path: 'permissions', asOrganization: true } as const
  const { items } = await ask(pageOf('permissions', molliePermission), request)
  const granted = new Set(items.flatMap(({ id, granted }) => (granted ? id : [])))
  return neededPermissions.filter((each) => !granted.has(each))
}

export async function* settledSince(ask: Ask, since: Date): AsyncGenerator<BookedSettlement> {
  for await (const page of pagesOf(ask, { ...lists.settlements, asOrganization: true }, since))
    for (const settlement of page) {
      // Skips the open settlement, because it is the current balance, which still changes.
      if (settlement.status === 'open') continue
      const inside = <Of extends { name: string }>(list: Of) =>
        ({ ...list, path: `settlements/${settlement.id}/${list.name}`, asOrganization: true }) as const
      yield {
        sums: sumsOf(settlement),
        settledAt: settlement.settledAt ?? null,
        payments: (await allOf(ask, inside(lists.payments))).map((each) => ({ ...payment(each), isPaid: true })),
        refunds: (await allOf(ask, inside(lists.refunds))).map(refund),
        chargebacks: (await allOf(ask, inside(lists.chargebacks))).map(chargeback),
      }
    }
}

function sumsOf({ id, reference, status, amount, periods }: MollieSettlement): BookedSettlement['sums'] {
  const months = Object.values(periods).flatMap((year) => Object.values(year))
  const sum = (subtotals: readonly { amountGross: { value: string } }[]) =>
    subtotals.reduce((total, { amountGross }) => total + tenThousandths(amountGross.value), 0n)
  return {
    ref: id,
    reference: reference ?? null,
    currency: amount.currency,
    amount: tenThousandths(amount.value),
    status: status === 'paidout' ? 'paid' : status === 'failed' ? 'failed' : 'pending',
    revenue: sum(months.flatMap(({ revenue }) => revenue)),
    costs: sum(months.flatMap(({ costs }) => costs)),
  }
}

function tenThousandths(value: string): bigint {
  const [whole = '', decimals = ''] = value.replace('-', '').split('.')
  const unsigned = BigInt(whole + decimals.padEnd(4, '0'))
  return value.startsWith('-') ? -unsigned : unsigned
}

const payment = ({ id, metadata, amount, amountRefunded, status }: Item<typeof molliePayment>) => ({
  ref: id,
  paymentId: metadata?.payment ?? null,
  storefrontId: metadata?.storefront ?? null,
  amount: written(amount),
  isPaid: status === 'paid',
  isRefunded: tenThousandths(amount.value) > 0n && refunded(amountRefunded) >= tenThousandths(amount.value),
  ...(!isKnownStatus(status) && { unknownStatus: status.slice(0, 40) }),
})

const made = (of: Item<typeof molliePayment>) => ({
  isPending: statusOf(of) === 'pending',
  moneyReturned: moneyReturned(of),
  mandateRef: of.customerId && of.mandateId ? mandateRef(of.customerId, of.mandateId) : null,
  orderId: of.metadata?.order ?? null,
  createdAt: of.createdAt,
})

const refunded = (amount: { value: string } | null | undefined): bigint => tenThousandths(amount?.value ?? '0')

const refund = ({ id, metadata, paymentId, amount, status }: Item<typeof mollieListedRefund>) => ({
  ref: id,
  refundId: metadata?.refund ?? null,
  paymentRef: paymentId,
  amount: written(amount),
  storefrontId: metadata?.storefront ?? null,
  hasFailed: status === 'failed' || status === 'canceled',
})

const chargeback = (of: Item<typeof mollieChargeback>) => ({
  ref: chargebackRef(of),
  paymentRef: of.paymentId,
  amount: written(of.amount),
  isReversed: Boolean(of.reversedAt),
})

/** In a settlement, Mollie writes refunds and chargebacks with a minus sign, which is omitted here. */
const written = ({ value, currency }: { value: string; currency: string }): string =>
  `${value.replace('-', '')} ${currency}`

interface List<Of> {
  readonly name: string
  readonly item: z.ZodType<Of>
  /** The path relative to `/v2`. The default is `name`. */
  readonly path?: string
  readonly asOrganization?: true
}

const lists = {
  payments: { name: 'payments', item: molliePayment },
  refunds: { name: 'refunds', item: mollieListedRefund },
  chargebacks: { name: 'chargebacks', item: mollieChargeback },
  settlements: { name: 'settlements', item: mollieSettlement },
} as const

async function* pagesOf<Of extends { createdAt: Date }>(
  ask: Ask,
  { name, item, path = name, asOrganization }: List<Of>,
  since: Date,
): AsyncGenerator<Of[]> {
  for (let next: string | null = `${path}?limit=250`; next; ) {
    const request = { method: 'GET', path: next, ...(asOrganization && { asOrganization }) } as const
    const page: { items: Of[]; next: string | null } = await ask(pageOf(name, item), request)
    const items = page.items.filter(({ createdAt }) => createdAt >= since)
    yield items
    const from = page.next === null ? null : new URL(page.next).searchParams.get('from')
    const isLast = items.length < page.items.length || !from
    next = isLast ? null : `${path}?limit=250&from=${encodeURIComponent(from)}`
  }
}

async function allOf<Of extends { createdAt: Date }>(ask: Ask, list: List<Of>): Promise<Of[]> {
  const all: Of[] = []
  for await (const page of pagesOf(ask, list, new Date(0))) all.push(...page)
  return all
}
