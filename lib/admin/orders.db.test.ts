import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '../testing/invariants.ts'
import { aSale, nameTaxId, type Sale } from '../testing/money-back.ts'
import { anOperator } from '../testing/operator.ts'
import { drainTasks, get } from '../testing/subscription-scenario.ts'
import { move, raise } from '../workflows/chargeback/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
beforeAll(async () => {
  cookies = (await anOperator('orders@example.com')).cookies
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const at = ({ shop }: Sale) => ({ mode: 'test', storefrontId: shop.storefrontId })

/** Sells for 100.00 plus 19.00 of tax, then refunds the tax. Returns the sale, its credit note, and its replacement. */
async function aCorrectedSale() {
  const sale = await aSale({ price: '100.00', buyer: { country: 'DE' } })
  await nameTaxId(sale)
  await drainTasks()
  const [replacement, creditNote] = (await get(sale.key, '/v1/orders')).data
  return { ...sale, replacement: replacement.id as string, creditNote: creditNote.id as string }
}

test('the export of orders states the type of each row, so that a spreadsheet can sum the sales', async () => {
  const sale = await aCorrectedSale()
  const file = await admin.exportCsv(at(sale), 'orders', new URLSearchParams(), cookies)
  let text = ''
  for await (const part of file?.parts ?? []) text += part
  const [header = [], ...rows] = text
    .replace(/^\ufeff/, '')
    .split('\r\n')
    .map((line) => line.split(','))
  const column = (name: string) => rows.flatMap((row) => (row.length > 1 ? [row[header.indexOf(name)]] : []))
  expect(column('id')).toEqual([sale.replacement, sale.creditNote, sale.orderId])
  expect(column('total')).toEqual(['100.00', '119.00', '119.00'])
  expect(column('kind')).toEqual(['replacement', 'credit_note', 'sale'])
  expect(column('creditedOrderId')).toEqual(['', sale.orderId, ''])
  expect(column('replacesOrderId')).toEqual([sale.orderId, '', ''])
  expect(column('paidAt')).toEqual(['', '', expect.stringMatching(/^2026-12-01T00:00:\d\dZ$/)])
})

test('the pages of an order and of its documents link to each other', async () => {
  const sale = await aCorrectedSale()
  const page = async (id: string) => admin.orderPage(at(sale), id, cookies)
  const [none, paid] = [{ credits: null, replaces: null, replacedBy: null }, 'TEST-INV-2026-000001']
  const original = { id: sale.orderId, invoiceNumber: paid }
  expect(await page(sale.orderId)).toMatchObject({
    ...none,
    isSale: true,
    replacedBy: { id: sale.replacement, invoiceNumber: 'TEST-INV-2026-000002' },
    creditNotes: [{ id: sale.creditNote, invoiceNumber: 'TEST-CN-2026-000001' }],
  })
  expect(await page(sale.creditNote)).toMatchObject({ ...none, isSale: false, credits: original, creditNotes: [] })
  expect(await page(sale.replacement)).toMatchObject({ ...none, isSale: false, replaces: original })
})

test('the page of an order shows its chargebacks, and offers a withdrawal unless the order is a credit note', async () => {
  const sale = await aSale({ price: '100.00', buyer: { country: 'NL' } })
  expect((await admin.orderPage(at(sale), sale.orderId, cookies))?.chargebacks).toEqual([])
  const { chargebackId } = await raise(sale.orderId, { amount: '121.00', reason: 'fraud' })
  await drainTasks()
  const { chargeback } = (await admin.chargebackPage(at(sale), chargebackId, {}, cookies)) ?? {}
  const page = await admin.orderPage(at(sale), sale.orderId, cookies)
  expect(page).toMatchObject({ chargebacks: [{ id: chargebackId }], withdrawal: { until: '2026-12-15' } })
  await move(chargebackId, 'lost')
  await drainTasks()
  const [creditNote] = (await admin.orderPage(at(sale), sale.orderId, cookies))?.creditNotes ?? []
  expect(await admin.orderPage(at(sale), creditNote?.id ?? '', cookies)).toMatchObject({
    withdrawal: null,
    chargebacks: [],
    credits: { id: chargeback?.originalOrderId },
  })
})
