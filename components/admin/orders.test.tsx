import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { adminOrder, adminOrderPage } from '@/e2e/fixtures/admin-pages.ts'
import { Order, OrderTable } from './orders.tsx'

const text = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const order = (more: Partial<typeof adminOrderPage>) =>
  text(
    renderToStaticMarkup(
      <Order outcome={{ done: null, failed: null }} page={{ ...adminOrderPage, ...more }} path="" />,
    ),
  )

test('an order lists all sold lines, including free lines, to every reader', () => {
  const [first] = adminOrder.lines
  const left = { value: '120.00', currency: 'EUR' as const }
  const lines = first ? [{ id: first.id, description: first.description, quantity: 12, subtotal: left, left }] : []
  for (const page of [
    { notRefundable: 'The order has nothing left to refund.', mayRefund: true },
    { notRefundable: null, lines, mayRefund: false },
    { notRefundable: null, lines, mayRefund: true },
  ]) {
    const shown = order(page)
    expect(shown).toContain('Subscrição profissional 12 €120.00 VAT 21%: €25.20 €145.20')
    expect(shown).toContain('A month of support 1 €0.00 VAT 21%: €0.00 €0.00')
  }
})

test('the items of an order have one heading, and one column for each value', () => {
  expect(order({})).toMatch(/ Items Item Quantity /)
})

test('a list of orders shows the first line and the number of further lines', () => {
  const listed = (lines: typeof adminOrder.lines) =>
    text(renderToStaticMarkup(<OrderTable orders={[{ ...adminOrder, state: 'paid', lines }]} path="" />))
  expect(listed(adminOrder.lines)).toContain('Subscrição profissional + 1 ')
  expect(listed(adminOrder.lines.slice(0, 1))).toContain('Subscrição profissional Paid')
})

test('the text mentions a refund "above" only if the page has a form for it', () => {
  expect(order({ notRefundable: null })).toContain('A refund that is made above')
  for (const page of [{}, { notRefundable: null, mayRefund: false }])
    expect(order(page)).not.toContain('A refund that is made above')
})
