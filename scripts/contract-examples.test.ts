import { describe, expect, it } from 'vitest'
import { toWire } from '../lib/kernel/moment.ts'
import { formatMoney, percent, sum } from '../lib/kernel/money.ts'
import { type Chargeback, needsReview, settlementAmount } from '../lib/modules/chargebacks/rules/chargeback.ts'
import type { Entry } from '../lib/modules/ledger/rules/account.ts'
import { postAccepted, postLost, postReceived, postWon } from '../lib/modules/ledger/rules/chargeback.ts'
import { feeOf, neededFor } from '../lib/modules/ledger/rules/refund.ts'
import { postPaidAgain, postReturned, postWrittenOff } from '../lib/modules/ledger/rules/returned-debit.ts'
import { postSale } from '../lib/modules/ledger/rules/sale.ts'
import { anOrder } from '../lib/modules/orders/examples.ts'
import type { Order, OrderLine } from '../lib/modules/orders/rules/order.ts'
import { leftOf, type Part, reverseGross, reverseLines, totalOf } from '../lib/modules/orders/rules/reverse.ts'
import { correctedParts } from '../lib/modules/orders/rules/tax-correction.ts'
import { declarableUntil, lastWithdrawalDay, subtotalOfUnits } from '../lib/modules/orders/rules/withdrawal.ts'
import type { FailureReason } from '../lib/modules/payments/rules/failure.ts'
import { kindOf, type RecoveryKind, schedules } from '../lib/modules/recovery/rules/schedule.ts'
import { aBetterPlan, aChange, aChangeNow, aSubscription, euros } from '../lib/modules/subscriptions/examples.ts'
import type { TimedAmount } from '../lib/modules/subscriptions/rules/carry.ts'
import { change } from '../lib/modules/subscriptions/rules/change.ts'
import type { Change } from '../lib/modules/subscriptions/rules/change-request.ts'
import { renew } from '../lib/modules/subscriptions/rules/renew.ts'
import type { Subscription } from '../lib/modules/subscriptions/rules/subscription.ts'
import { withdrawUnits } from '../lib/modules/subscriptions/rules/withdraw-units.ts'
import { computeTax } from '../lib/modules/tax/rules/arithmetic.ts'
import { rowsOf, withColumns } from '../lib/testing/contract-tables.ts'

const day = (text: string): Date => new Date(text.includes('T') ? text : `${text}T00:00:00Z`)
const money = (minor: bigint): string => formatMoney({ minor, currency: 'EUR' })
const signed = (minor: bigint): string => (minor > 0n ? `+${money(minor)}` : money(minor))
const example = (name: string): string[][] => rowsOf(withColumns(name)).map(([, ...cells]) => cells)
const firstOf = (name: string): string[] => rowsOf(withColumns(name)).map(([first = '']) => first)

const rate = { name: 'VAT', percentage: '21', taxablePercentage: '100' } as Order['taxSummary'][number]['rate']

describe('the examples of docs/contract/subscriptions.md', () => {
  const june = day('2026-06-01')
  const sold = (differences: Partial<Subscription> = {}): Subscription =>
    aSubscription({ price: euros(3_000n), anchorAt: june, ...differences })
  const at = (subscription: Subscription, now: string, request: Partial<Change>, back: readonly TimedAmount[] = []) =>
    change(subscription, aChangeNow({ invoiceImmediately: true, ...request }), day(now), back)
  const renewed = (of: Subscription) => renew(of, { due: day('2026-07-01'), now: day('2026-07-01') })
  const dueOf = ({ lines }: ReturnType<typeof change>): string[] => {
    const amounts = lines.map((line) => (line.kind === 'period' ? line.unitPrice * BigInt(line.quantity) : line.amount))
    const credit = -sum(amounts.filter((amount) => amount < 0n))
    const charge = sum(amounts.filter((amount) => amount > 0n))
    return [credit, charge, charge - credit].map(money)
  }

  it('the proration examples state the amounts that the code computes', () => {
    const stretched = at(sold(), '2026-06-11', { anchor: day('2026-07-11') })
    const yearly = aBetterPlan({ price: euros(30_000n), billingInterval: { interval: 'year', intervalCount: 1 } })
    expect(() => at(sold({ price: euros(6_000n) }), '2026-06-16', { price: euros(3_000n) })).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    )
    expect(example('Example of a proration')).toEqual([
      dueOf(at(sold(), '2026-06-16', { price: euros(6_000n) })),
      dueOf(at(sold({ price: euros(2_999n) }), '2026-06-11T12:00:00Z', { price: euros(9_999n) })),
      dueOf(at(sold({ price: euros(1_000n), quantity: 3 }), '2026-06-16', { quantity: 5 })),
      ['30.00', '15.00', 'refused with 422, because the credit exceeds the charge'],
      dueOf(stretched),
      dueOf(at(stretched.next, '2026-06-21', { price: euros(6_000n) })),
      dueOf(at(sold(), '2026-06-16', { plan: yearly })),
    ])
  })

  it('the proration examples add the tax of the invoice or of the renewal', () => {
    const taxed = (amounts: readonly bigint[]): string[] => {
      const lines = amounts.map((unitPrice) => ({ unitPrice, quantity: 1 }))
      const { subtotal, total } = computeTax({ behavior: 'exclusive', rates: [rate], lines })
      return [amounts.map(money).join(', '), money(subtotal), money(total - subtotal), money(total)]
    }
    const amountsOf = (lines: ReturnType<typeof change>['lines']) =>
      lines.map((line) => (line.kind === 'period' ? line.unitPrice : line.amount))
    const parked = at(sold(), '2026-06-16', { price: euros(6_000n), invoiceImmediately: false }).next
    expect(example('Example of a parked or invoiced difference')).toEqual([
      taxed(amountsOf(at(sold(), '2026-06-16', { price: euros(6_000n) }).lines)),
      taxed(amountsOf(renewed(parked).lines)),
    ])
  })

  it('the proration examples credit no amount twice, and credit no refunded amount', () => {
    const back = [{ from: june, until: day('2026-07-01'), amount: 1_000n }]
    const first = at(sold(), '2026-06-16', { price: euros(6_000n) }, back)
    const again = [...back, { from: day('2026-06-16'), until: day('2026-07-01'), amount: 0n }]
    const second = at(first.next, '2026-06-21', { price: euros(9_000n) }, again)
    expect(example('Example of a credit after a refund')).toEqual([
      ['30.00 - 10.00', ...dueOf(first)],
      ['60.00', ...dueOf(second)],
    ])
  })

  it('the code computes a partial withdrawal as the examples of docs/contract/withdrawal.md state', () => {
    const line = { subtotal: 3_000n, quantity: 3 }
    const billed = { paid: 3_000n, quantity: 3, service: { from: june, until: day('2026-07-01') } }
    const left = withdrawUnits(sold({ price: euros(1_000n), quantity: 3 }), 1, billed)
    const [credit = '', charge = ''] = dueOf(at(left, '2026-06-16', { quantity: 4 }))
    const renewal = renewed(left).lines.map((each) =>
      each.kind === 'period' ? each.unitPrice * BigInt(each.quantity) : each.amount,
    )
    const refund = subtotalOfUnits(line, { before: 0, units: 1 })
    expect(example('Example of a partial withdrawal').flat()).toEqual([
      money(refund),
      money(left.period?.paid ?? 0n),
      credit,
      charge,
      money(sum(renewal)),
    ])
    const hundred = { subtotal: 10_000n, quantity: 3 }
    expect(example('Example of refunds for units').flat()).toEqual([
      money(subtotalOfUnits(hundred, { before: 0, units: 1 })),
      money(subtotalOfUnits(hundred, { before: 1, units: 2 })),
    ])
  })

  it('the example of an unpaid change states the end dates that the retry schedules give', () => {
    const seven = sold({ price: euros(1_000n), quantity: 7 })
    expect(dueOf(at(seven, '2026-06-16', { quantity: 10 }))).toEqual(['35.00', '50.00', '15.00'])
    expect(change(seven, aChange({ quantity: 10 }), day('2026-06-16')).lines).toEqual([])
    const [hard = '', soft = ''] = example('Example of an unpaid change').flat()
    expect(hard).toContain(`On ${ended('card_expired', '2026-06-16')} the order is canceled`)
    expect(soft).toContain(`On ${ended('insufficient_funds', '2026-06-16')} the order is canceled`)
  })
})

const inWords = (date: Date): string => `${date.getUTCDate()} ${date.getUTCMonth() === 5 ? 'June' : 'July'}`
const later = (from: string, days: number): Date => new Date(day(from).getTime() + days * 86_400_000)
function daysOf(kind: RecoveryKind, does: 'charge' | 'any'): number[] {
  let days = 0
  return schedules[kind].flatMap((step) => {
    days += step.daysAfterPreviousStep
    return does === 'any' || step.does === does ? [days] : []
  })
}
const ended = (reason: FailureReason, from: string): string =>
  inWords(later(from, daysOf(kindOf(reason), 'any').at(-1) ?? 0))
const charged = (reason: FailureReason, from: string): string =>
  daysOf(kindOf(reason), 'charge')
    .map((days) => later(from, days).getUTCDate())
    .join(', ')

describe('the examples of docs/contract/recovery.md', () => {
  it('the recovery examples state the charge dates and end dates that the retry schedules give', () => {
    expect(example('Example of a recovery')).toEqual([
      [`${charged('insufficient_funds', '2026-06-01')} June`, ended('insufficient_funds', '2026-06-01')],
      ['none', ended('card_expired', '2026-06-01')],
      ['5 June', ended('card_expired', '2026-06-01')],
      [`${charged('insufficient_funds', '2026-06-05')} June`, ended('insufficient_funds', '2026-06-05')],
    ])
    expect(kindOf('account_closed')).toBe('hard')
  })

  it('the example of a returned direct debit states the merchant balance that the code computes after each step', () => {
    const [paid, returned, again, writtenOff] = [
      postSale({ total: 12_100n, subtotal: 10_000n, fee: { part: percent('5'), fixed: 50n } }),
      postReturned({ total: 12_100n, fee: 550n, bankFee: 750n }),
      postPaidAgain({ total: 12_100n, fee: 550n }),
      postWrittenOff({ tax: 2_100n }),
    ].map(balanceOf) as [bigint, bigint, bigint, bigint]
    expect(example('Example of a returned direct debit')).toEqual([
      [signed(paid), money(paid)],
      [signed(returned), money(paid + returned)],
      [signed(again), money(paid + returned + again)],
      [signed(writtenOff), money(paid + returned + writtenOff)],
    ])
  })
})

it('the example of docs/contract/money.md states the entries that the code posts for a payment', () => {
  const posted = postSale({ total: 12_100n, subtotal: 10_000n, fee: { part: percent('5'), fixed: 50n } })
  const documented = rowsOf(withColumns('Example of the entries of a payment'))
  expect(documented).toEqual(posted.map(({ account, amount }) => [account, signed(amount)]))
})

/** The balance of a merchant is a credit balance, so its entries are negated. */
const balanceOf = (posted: readonly Entry[]): bigint =>
  -sum(posted.flatMap(({ account, amount }) => (account === 'merchant_balance' ? [amount] : [])))

describe('the examples of docs/contract/refunds-and-chargebacks.md', () => {
  const line: OrderLine = {
    id: 'order_item_1',
    description: 'Pro',
    quantity: 1,
    basePrice: '100.00',
    subtotal: 10_000n,
    total: 12_100n,
    taxes: [{ rate, amount: 2_100n }],
    productType: null,
    productId: null,
    metadata: null,
    onInvoice: null,
  }
  const order = anOrder({ subtotal: 10_000n, total: 12_100n, taxSummary: line.taxes, lines: [line] })
  const sale = { subtotal: 10_000n, fee: 550n }
  const sumsOf = (parts: readonly Part[]) => {
    const subtotal = sum(parts.map((each) => each.subtotal))
    const total = sum(parts.map(totalOf))
    return { subtotal, total, tax: total - subtotal }
  }

  it('the refund examples split net, tax, and fee in proportion', () => {
    const parts = reverseLines(leftOf(order, []), new Map([[line.id, 3_333n]]))
    const first = sumsOf(parts)
    const reversed = parts.map((part) => ({ orderLineId: line.id, subtotal: part.subtotal, taxes: part.taxes }))
    const rest = leftOf(order, reversed)
    const second = sumsOf(reverseLines(rest, new Map([[line.id, rest.subtotal]])))
    const feeReturned = feeOf(first, sale, { subtotal: 0n, feeReturned: 0n })
    const feeOfRest = feeOf(second, sale, { subtotal: first.subtotal, feeReturned })
    const row = ({ subtotal, tax, total }: ReturnType<typeof sumsOf>, fee: bigint) =>
      [subtotal, tax, total, fee, neededFor({ subtotal, feeReturned: fee })].map(money)
    expect(example('Example of a refund')).toEqual([row(first, feeReturned), row(second, feeOfRest)])
  })

  it('a tax correction covers the remaining amounts as docs/contract/orders-and-invoices.md states', () => {
    const parts = reverseLines(leftOf(order, []), new Map([[line.id, 3_333n]]))
    const reversed = parts.map((part) => ({ orderLineId: line.id, subtotal: part.subtotal, taxes: part.taxes }))
    const corrected = correctedParts(leftOf(order, reversed))
    const [all, tax] = [sumsOf(corrected?.all ?? []), sumsOf(corrected?.tax ?? [])]
    const row = ({ subtotal, tax, total }: typeof all) => [subtotal, tax, total].map(money)
    const replaced = { subtotal: all.subtotal, tax: 0n, total: all.subtotal }
    expect(example('Example of a tax ID after the sale')).toEqual([row(all), row(replaced), row(tax)])
  })

  it('the chargeback example deducts the same amounts as the ledger', () => {
    const disputed = (amount: bigint) => {
      const isHeld = needsReview(amount, order)
      const sums = isHeld ? sumsOf([]) : sumsOf(reverseGross(order, leftOf(order, []), amount))
      return { ...sums, providerFee: 1_500n, status: isHeld ? 'requires_amount_review' : 'pending' } as const
    }
    const row = (of: { total: bigint; subtotal: bigint; status: Chargeback['status'] }, balance: bigint) => {
      const settled = settlementAmount({ ...of, providerFee: 1_500n })
      return [money(of.total), money(of.subtotal), money(settled), signed(balance)]
    }
    const [whole, half, tooMuch] = [disputed(12_100n), disputed(6_050n), disputed(15_000n)]
    const accepted = { ...sumsOf(reverseGross(order, leftOf(order, []), 15_000n)), status: 'accepted' } as const
    expect(example('Example of a chargeback')).toEqual([
      row(whole, balanceOf(postReceived(whole))),
      row({ ...whole, status: 'lost' }, balanceOf(postLost(whole))),
      row({ ...whole, status: 'won' }, balanceOf(postWon(whole))),
      row(half, balanceOf(postReceived(half))),
      row(tooMuch, 0n),
      row(accepted, balanceOf(postAccepted({ ...accepted, providerFee: 1_500n }))),
    ])
  })
})

it('the withdrawal example states the last day of withdrawal that the code computes', () => {
  const days = ['2026-06-05T12:00:00Z', '2026-06-06T12:00:00Z'].map((paid) => {
    const order = { withdrawal: { kind: 'service', beginsAtOnce: true }, paidAt: day(paid) } as const
    const stated = lastWithdrawalDay(order, null) ?? ''
    return [`${Number(stated.slice(8))} June 2026`, toWire(declarableUntil(order, null) ?? day('2026-01-01'))]
  })
  expect(example('Example of a last day: payment at 12:00 UTC on')).toEqual(days)
  expect(firstOf('Example of a last day: payment at 12:00 UTC on')).toEqual([
    'Friday, 5 June 2026',
    'Saturday, 6 June 2026',
  ])
})

describe('the tax examples of docs/contract', () => {
  it('the tax examples distribute the tax of an order over its lines', () => {
    const lines = [1, 2, 3].map(() => ({ unitPrice: 50n, quantity: 1 }))
    const { lines: taxed, taxSummary } = computeTax({ behavior: 'exclusive', rates: [rate], lines })
    const taxOf = (taxes: Order['taxSummary']) => sum(taxes.map(({ amount }) => amount))
    expect(example('Example of the tax of an order')).toEqual([
      [taxed.map(({ taxes }) => money(taxOf(taxes))).join(', '), money(taxOf(taxSummary))],
    ])
  })

  it('the tax examples extract the tax from a price that includes tax', () => {
    const rows = [
      { unitPrice: 999n, quantity: 3 },
      { unitPrice: 2_999n, quantity: 1 },
    ].map((line) => {
      const taxed = computeTax({ behavior: 'inclusive', rates: [rate], lines: [line] })
      const { subtotal, total, lines } = taxed
      return ['21 %', lines[0]?.basePrice, money(subtotal), money(total - subtotal), money(total)]
    })
    expect(example('Example of an inclusive price')).toEqual(rows)
  })
})
