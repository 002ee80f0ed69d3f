import { describe, expect, it } from 'vitest'
import { anOrder } from '../examples.ts'
import { creditNoteOf, extended, reversalOf } from './credit-note.ts'
import { refundableSubtotal } from './order.ts'
import { leftOf, reverseAll, reverseLines } from './reverse.ts'

const rate = { name: 'VAT', percentage: '19' }
const order = anOrder({
  subscriptionId: 'subscription_1',
  lines: [
    {
      id: 'order_item_1',
      description: 'Seats',
      quantity: 4,
      basePrice: '25.00',
      subtotal: 10_000n,
      total: 11_900n,
      taxes: [{ rate, amount: 1_900n }],
      productType: 'subscription',
      productId: 'subscription_1',
      metadata: null,
      onInvoice: null,
    },
  ],
})
const words = { description: 'Seats (Refund)', invoiceDescription: 'Plätze (Erstattung)' }
const given = { lineIds: ['refund_item_1'], describe: () => words }
const whole = reversalOf(order, reverseAll(leftOf(order, [])), given)

describe('a reversal', () => {
  it('a reversal of a whole line has the quantity and price of the line', () => {
    expect(whole).toEqual({
      subtotal: 10_000n,
      total: 11_900n,
      taxSummary: [{ rate, amount: 1_900n }],
      lines: [
        {
          id: 'refund_item_1',
          orderLineId: 'order_item_1',
          ...words,
          quantity: 4,
          basePrice: '25.00',
          subtotal: 10_000n,
          total: 11_900n,
          taxes: [{ rate, amount: 1_900n }],
        },
      ],
    })
  })

  it('a reversal of a part of a line has the quantity 1 and the reversed amount as the price', () => {
    const part = reverseLines(leftOf(order, []), new Map([['order_item_1', 100n]]))
    expect(reversalOf(order, part, given).lines).toMatchObject([{ quantity: 1, basePrice: '1.00', subtotal: 100n }])
  })

  it('extended() adds the amounts of two reversals and keeps their lines, even if the first reversal is empty', () => {
    const nothing = reversalOf(order, [], given)
    expect(extended(order, nothing, whole)).toEqual(whole)
    const one = reversalOf(order, reverseLines(leftOf(order, []), new Map([['order_item_1', 100n]])), given)
    expect(extended(order, one, one)).toMatchObject({
      subtotal: 200n,
      total: 238n,
      taxSummary: [{ rate, amount: 38n }],
      lines: [{ subtotal: 100n }, { subtotal: 100n }],
    })
  })

  it('an empty reversal has one tax line of zero', () => {
    expect(reversalOf(order, [], given)).toEqual({
      subtotal: 0n,
      total: 0n,
      taxSummary: [{ rate, amount: 0n }],
      lines: [],
    })
  })
})

describe('a credit note', () => {
  const now = new Date('2027-03-01T10:00:00Z')
  const number = { scope: 'live', number: 'CN-2027-000001' }
  const note = creditNoteOf(order, whole, {
    id: 'order_2',
    lineIds: ['order_item_2'],
    number,
    metadata: '{"a":1}',
    now,
  })

  it('a credit note has the buyer of the original order and the reversed amounts', () => {
    expect(note).toMatchObject({
      id: 'order_2',
      creditedOrderId: order.id,
      status: 'paid',
      customerId: order.customerId,
      customerDetails: order.customerDetails,
      seller: order.seller,
      locale: order.locale,
      paymentMethod: order.paymentMethod,
      subtotal: 10_000n,
      total: 11_900n,
      invoice: number,
      metadata: '{"a":1}',
      createdAt: now,
      paidAt: now,
    })
    expect(note.lines).toMatchObject([
      { id: 'order_item_2', description: 'Seats (Refund)', productType: null, productId: null },
    ])
  })

  it('a line of a credit note has the refund’s description in the buyer’s language, and the service period and the change of the original line', () => {
    const service = { from: new Date('2026-11-20T10:00:00Z'), until: new Date('2026-12-20T10:00:00Z') }
    const change = { plan: null, quantity: { from: 3, to: 5 }, price: null }
    const [sold] = order.lines
    if (!sold) throw new Error('No line')
    const lines = [{ ...sold, onInvoice: { description: 'Rest der Plätze', service, change } }]
    const of = (reversal: typeof whole, original = order) =>
      creditNoteOf(original, reversal, { id: 'order_2', lineIds: ['order_item_2'], number, metadata: null, now })
        .lines[0]
    expect(of(whole)?.onInvoice).toEqual({ description: 'Plätze (Erstattung)', service: null, change: null })
    expect(of(whole, { ...order, lines })?.onInvoice).toEqual({ description: 'Plätze (Erstattung)', service, change })
    const asGiven = { ...whole, lines: whole.lines.map((line) => ({ ...line, invoiceDescription: null })) }
    expect(of(asGiven)?.onInvoice).toBeNull()
    expect(of(asGiven, { ...order, lines })?.onInvoice).toEqual({ description: null, service, change })
  })

  it('a credit note cannot be refunded and has no checkout or subscription', () => {
    expect(refundableSubtotal(note)).toBe(0n)
    expect([note.checkoutId, note.subscriptionId]).toEqual([null, null])
  })
})
