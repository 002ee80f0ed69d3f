import { advance, momentAfter } from './clock.ts'
import { type Plan, type Sale, type Shop, someBuyer, teamPlan } from './shop.ts'

/** Every run of the seed command creates the same history, except for the email addresses. */

interface Customer {
  readonly fullName: string
  readonly country: string
  readonly paymentMethod: string
}

const customers: readonly Customer[] = [
  { fullName: 'Sanne de Vries', country: 'NL', paymentMethod: 'ideal' },
  { fullName: 'Jonas Weber', country: 'DE', paymentMethod: 'creditcard' },
  { fullName: 'Claire Martin', country: 'FR', paymentMethod: 'creditcard' },
  { fullName: 'Bruno Costa', country: 'PT', paymentMethod: 'paypal' },
  { fullName: 'Zofia Kowalska', country: 'PL', paymentMethod: 'creditcard' },
  { fullName: 'Giulia Rossi', country: 'IT', paymentMethod: 'creditcard' },
  { fullName: 'Emma Janssens', country: 'BE', paymentMethod: 'bancontact' },
]

const plans: readonly Plan[] = [
  teamPlan,
  { name: 'Solo (command line)', price: '5.00', interval: 'month' },
  { name: 'Company (command line)', price: '490.00', interval: 'year' },
]

const salesPerMonth = 3
const teamSizes = [1, 3, 5, 2, 8] as const

/** Actions after sales. For example, an action with `every: 4` runs after every fourth sale. Only the first matching action runs. */
const fates: readonly { readonly every: number; act(shop: Shop, sale: Sale, result: Seeded): Promise<unknown> }[] = [
  {
    every: 4,
    act: ({ billhook }, { subscription }) =>
      billhook.setPaymentBehavior(subscription.id, {
        outcome: 'failed',
        failureReason: 'insufficient_funds',
        times: 2,
      }),
  },
  {
    every: 5,
    act: ({ billhook }, { subscription }) =>
      billhook.changeSubscription(subscription.id, { quantity: subscription.quantity + 2, applyImmediately: true }),
  },
  {
    every: 6,
    act({ billhook }, { subscription }, result) {
      result.cancellations++
      return billhook.cancelSubscription(subscription.id)
    },
  },
  {
    every: 7,
    async act({ billhook }, { order, subscription }, result) {
      result.refunds++
      result.cancellations++
      await billhook.createFullRefund(order.id)
      await billhook.cancelSubscription(subscription.id, { immediately: true })
    },
  },
  {
    every: 11,
    act: ({ billhook }, { subscription }) => billhook.setPaymentBehavior(subscription.id, { outcome: 'failed' }),
  },
]

export interface Seeded {
  readonly months: number
  sales: number
  paidOrders: number
  refunds: number
  cancellations: number
  clock: string
}

interface Options {
  readonly signal: AbortSignal
  onProgress(share: number, what: string): void
}

export async function seedHistory(shop: Shop, months: number, { signal, onProgress }: Options): Promise<Seeded> {
  const result: Seeded = { months, sales: 0, paidOrders: 0, refunds: 0, cancellations: 0, clock: '' }
  const newest = (await shop.billhook.listOrders({ limit: 1 })).data[0]?.id ?? ''
  for (let month = 0; month < months; month++) {
    for (let nth = 0; nth < salesPerMonth; nth++) {
      signal.throwIfAborted()
      onProgress((month + nth / (2 * salesPerMonth)) / months, `Month ${month + 1}: a sale`)
      await sellNext(shop, result)
    }
    const { now } = await advance(shop.billhook, (start) => momentAfter(start, 'P1M'), {
      signal,
      onProgress: (share, clock) => onProgress((month + 0.5 + share / 2) / months, `Month ${month + 1}: ${clock}`),
    })
    result.clock = now
  }
  for await (const { id } of shop.billhook.listOrders({ status: 'paid' })) {
    if (id <= newest) break
    result.paidOrders++
  }
  return result
}

async function sellNext(shop: Shop, result: Seeded): Promise<void> {
  const number = result.sales++
  const customer = customers[number % customers.length]
  const sale = await shop.sell({
    plan: plans[number % plans.length] ?? teamPlan,
    quantity: teamSizes[number % teamSizes.length] ?? 1,
    trialDays: number % 8 === 7 ? 14 : 0,
    buyer: someBuyer(customer),
  })
  if (sale.subscription.status !== 'active') return
  for (const { every, act } of fates)
    if (number % every === every - 1) {
      await act(shop, sale, result)
      return
    }
}
