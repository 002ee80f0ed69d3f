import { type Amount, cents, type MollieBooks, type Settlement } from './mollie-books.ts'
import { newId } from './stand-in.ts'

/**
 * The fees that this simulated provider takes for a payment, a refund, and a chargeback, in ten-thousandths of a euro,
 * before 21 % tax.
 */
const fees = { payments: 2_900n, refunds: 2_500n, chargebacks: 150_000n } as const
const vat = (net: bigint) => (net * 21n) / 100n

const exact = (value: bigint): Amount => {
  const digits = String(value < 0n ? -value : value).padStart(5, '0')
  return { currency: 'EUR', value: `${value < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}` }
}

/** Settles payments in euros minus refunds, chargebacks, and Mollie's costs, as Mollie does at the end of a day. */
export function settle(books: MollieBooks): Settlement {
  const settled = new Set(books.settlements.flatMap(({ includes }) => Object.values(includes).flat()))
  const due = <Item extends { id: string; amount: Amount }>(items: readonly Item[], isDue: (item: Item) => boolean) =>
    items.filter(
      (item) => item.amount.currency === 'EUR' && !settled.has(item.id) && cents(item.amount) > 0 && isDue(item),
    )
  const moved = {
    payments: due(books.payments, ({ status }) => status === 'paid'),
    refunds: due(books.refunds, ({ status }) => status === 'refunded'),
    chargebacks: due(books.chargebacks, ({ reversedAt }) => reversedAt === null),
  }
  const sum = (items: readonly { amount: Amount }[]) =>
    items.reduce((total, { amount }) => total + BigInt(cents(amount)) * 100n, 0n)
  const sections = [
    { name: 'payments', description: 'Payments', method: 'creditcard', revenue: sum(moved.payments) },
    { name: 'refunds', description: 'Refunds', method: 'refund', revenue: -sum(moved.refunds) },
    { name: 'chargebacks', description: 'Chargebacks', method: 'chargeback', revenue: -sum(moved.chargebacks) },
  ] as const
  const kept = sections
    .filter(({ name }) => moved[name].length > 0)
    .map((section) => {
      const count = moved[section.name].length
      const net = fees[section.name] * BigInt(count)
      return { ...section, count, net, costs: net + vat(net) }
    })
  const total = kept.reduce((all, { revenue, costs }) => all + revenue - costs, 0n)
  const about = ({ description, method, count }: (typeof kept)[number]) => ({ description, method, count })
  const period = {
    revenue: kept.map((each) => ({
      ...about(each),
      amountNet: exact(each.revenue),
      amountVat: null,
      amountGross: exact(each.revenue),
    })),
    costs: kept.map((each) => ({
      ...about(each),
      amountNet: exact(each.net),
      amountVat: exact(vat(each.net)),
      amountGross: exact(each.costs),
      rate: { fixed: exact(fees[each.name]), percentage: '0.00' },
    })),
    invoiceId: 'inv_standin',
  }
  const now = new Date().toISOString()
  const [year = '', month = ''] = now.split('-')
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)
  const made: Settlement = {
    id: newId('stl'),
    reference: `1234567.${year.slice(2)}${month}.${books.settlements.length + 1}`,
    createdAt: now,
    settledAt: now,
    status: 'paidout',
    balanceId: 'bal_standin',
    // Mollie pays whole cents, and fractions of a cent stay in the balance.
    amount: { currency: 'EUR', value: exact((total / 100n) * 100n).value.slice(0, -2) },
    periods: { [year]: { [month]: period } },
    includes: { payments: ids(moved.payments), refunds: ids(moved.refunds), chargebacks: ids(moved.chargebacks) },
  }
  books.settlements.push(made)
  return made
}
