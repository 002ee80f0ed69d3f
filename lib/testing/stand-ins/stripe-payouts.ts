import { newId } from './stand-in.ts'
import { base, type Payout, type StripeBooks, type Transaction } from './stripe-books.ts'

/**
 * The fees that this simulated provider takes, in cents: 1.5 % plus 0.25 per charge, 20.00 per dispute, and 0.12 per
 * payout.
 */
const feeOfCharge = (amount: number) => Math.round(amount * 0.015) + 25
const feeOfDispute = 2_000
const feeOfPayout = 12

type Moved = Pick<Transaction, 'amount' | 'fee' | 'type' | 'reporting_category' | 'source'>

/** Settles charges and won disputes in euros, minus refunds, disputes, and fees, as Stripe does each day. */
export function settle(books: StripeBooks): Payout {
  const id = newId('po')
  const settled = new Set(books.transactions.map(({ source, type }) => `${source} ${type}`))
  const moved = [...movedIn(books), { ...ofType('stripe_fee', 'fee', null), amount: -feeOfPayout, fee: 0 }].filter(
    ({ source, type }) => source === null || !settled.has(`${source} ${type}`),
  )
  for (const each of moved)
    books.transactions.push({
      ...base('txn', 'balance_transaction'),
      ...each,
      net: each.amount - each.fee,
      currency: 'eur',
      payout: id,
    })
  const made: Payout = {
    ...base('po', 'payout'),
    id,
    amount: moved.reduce((sum, { amount, fee }) => sum + amount - fee, 0),
    currency: 'eur',
    automatic: true,
    reconciliation_status: 'completed',
    status: 'paid',
    arrival_date: Math.floor(Date.now() / 1000),
    statement_descriptor: null,
    trace_id: { status: 'supported', value: `TRACE${books.payouts.length + 1}` },
  }
  books.payouts.push(made)
  return made
}

const ofType = (type: string, reporting_category: string, source: string | null) => ({
  type,
  reporting_category,
  source,
})

function movedIn({ charges, refunds, disputes }: StripeBooks): Moved[] {
  const inEuros = <Item extends { currency: string; amount: number }>(items: readonly Item[]) =>
    items.filter(({ currency, amount }) => currency === 'eur' && amount > 0)
  const taken = inEuros(disputes).filter(({ status }) => !status.startsWith('warning_'))
  return [
    ...inEuros(charges)
      .filter(({ status }) => status === 'succeeded')
      .map(({ id, amount }) => ({ ...ofType('charge', 'charge', id), amount, fee: feeOfCharge(amount) })),
    ...inEuros(refunds)
      .filter(({ status }) => status === 'succeeded')
      .map(({ id, amount }) => ({ ...ofType('refund', 'refund', id), amount: -amount, fee: 0 })),
    ...taken.map(({ id, amount }) => ({ ...ofType('adjustment', 'dispute', id), amount: -amount, fee: feeOfDispute })),
    ...taken
      .filter(({ status }) => status === 'won')
      .map(({ id, amount }) => ({ ...ofType('adjustment_reversal', 'dispute_reversal', id), amount, fee: 0 })),
  ]
}
