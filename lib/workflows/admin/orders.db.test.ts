import { afterEach, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, nameTaxId, type Sale } from '../../testing/money-back.ts'
import { anOperator } from '../../testing/operator.ts'
import { get, settle } from '../../testing/subscription-scenario.ts'
import * as admin from './hosted.ts'

/** What the admin area shows of an order and of the documents about it. */

let cookies: string | null = null
beforeAll(async () => {
  cookies = (await anOperator('orders@example.com')).cookies
})
afterEach(async () => expect(await brokenInvariants()).toEqual({}))

const at = ({ shop }: Sale) => ({ mode: 'test', storefrontId: shop.storefrontId })

/** A sale of 100.00 and 19.00 of tax, which went back; with the ids of its credit note and of its replacement. */
async function aCorrectedSale() {
  const sale = await aSale({ price: '100.00', buyer: { country: 'DE' } })
  await nameTaxId(sale)
  await settle()
  const [replacement, creditNote] = (await get(sale.key, '/v1/orders')).data
  return { ...sale, replacement: replacement.id as string, creditNote: creditNote.id as string }
}

test('the file of orders says what each row is, so that sales can be summed', async () => {
  const sale = await aCorrectedSale()
  const file = await admin.exportCsv(at(sale), 'orders', new URLSearchParams(), cookies)
  let text = ''
  for await (const part of file?.parts ?? []) text += part
  const [header = [], ...rows] = text.split('\r\n').map((line) => line.split(','))
  const column = (name: string) => rows.flatMap((row) => (row.length > 1 ? [row[header.indexOf(name)]] : []))
  expect(column('id')).toEqual([sale.replacement, sale.creditNote, sale.orderId])
  expect(column('total')).toEqual(['100.00', '119.00', '119.00'])
  expect(column('kind')).toEqual(['replacement', 'credit_note', 'sale'])
  expect(column('creditedOrderId')).toEqual(['', sale.orderId, ''])
  expect(column('replacesOrderId')).toEqual([sale.orderId, '', ''])
  expect(column('paidAt')).toEqual(['', '', '2026-12-01T00:00:00Z'])
})
