import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { adminOrder, adminOrderPage } from '@/e2e/fixtures/admin-pages.ts'
import { Order } from './order.tsx'
import { OrderTable } from './orders.tsx'

const text = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const order = (more: Partial<typeof adminOrderPage>) =>
  text(
    renderToStaticMarkup(
      <Order outcome={{ done: null, failed: null }} page={{ ...adminOrderPage, ...more }} path="" />,
    ),
  )

test('the page of an order lists all sold lines, including free lines, even if the order or the reader’s role permits no refund', () => {
  const [first] = adminOrder.lines
  const left = { value: '120.00', currency: 'EUR' as const }
  const lines = first ? [{ id: first.id, description: first.description, quantity: 12, subtotal: left, left }] : []
  for (const page of [
    { notRefundable: 'refunded_in_full' as const, mayRefund: true },
    { notRefundable: null, lines, mayRefund: false },
    { notRefundable: null, lines, mayRefund: true },
  ]) {
    const shown = order(page)
    expect(shown).toContain('Subscrição profissional 12 €120.00 VAT 21%: €25.20 €145.20')
    expect(shown).toContain('A month of support 1 €0.00 VAT 21%: €0.00 €0.00')
  }
})

test.each([
  ['refund_of_credit_note', 'This is a credit note. Its amount was already refunded.'],
  ['refund_of_replacement', 'This invoice replaces another invoice. Refund the order that was paid.'],
  ['refund_of_unpaid', 'Only a paid order can be refunded.'],
  ['refund_of_zero', 'Nothing was paid for this order.'],
  ['refunded_in_full', 'Nothing is left to refund.'],
] as const)('if the refund rule of an order reports %s, the page says: %s', (notRefundable, reason) => {
  expect(order({ notRefundable, mayRefund: true })).toContain(reason)
})

test('the page of an order lists the items in one table with the heading "Items"', () => {
  expect(order({})).toMatch(/ Items Item Quantity /)
})

test('a list of orders shows the first item of each order and the number of further items', () => {
  const listed = (lines: typeof adminOrder.lines) =>
    text(renderToStaticMarkup(<OrderTable orders={[{ ...adminOrder, state: 'paid', lines }]} path="" />))
  expect(listed(adminOrder.lines)).toContain('Subscrição profissional + 1 ')
  expect(listed(adminOrder.lines.slice(0, 1))).toContain('Subscrição profissional Paid')
})

test('the refund note on the page of an order refers to the refund form above only if the page has this form', () => {
  expect(order({ notRefundable: null })).toContain('Refunds that you make above')
  for (const page of [{}, { notRefundable: null, mayRefund: false }])
    expect(order(page)).not.toContain('Refunds that you make above')
})

test('the page of an order shows the status beside the invoice number, and the buyer and the order details in a side column', () => {
  const html = renderToStaticMarkup(
    <Order outcome={{ done: null, failed: null }} page={adminOrderPage} path="/admin/test/storefront_1" />,
  )
  expect(text(html)).toMatch(/^ Orders INV-2026-000042 Refunded /)
  const [side = ''] = /<section aria-labelledby="customer".*?<section aria-labelledby="lines"/.exec(html) ?? []
  expect(side).toContain(`href="/admin/test/storefront_1/customers/${adminOrder.customerId}"`)
  expect(text(side)).toMatch(/Name Anna Schmidt Company Donaudampf.* Details Created /)
})
