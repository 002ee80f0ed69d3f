import { invoiceUpdatePage } from '../workflows/invoice-update/load-invoice-update.ts'
import { send } from './api.ts'
import { type Sale, aSale as soldBy } from './money-back.ts'
import { tokenOf } from './shop.ts'
import { get } from './subscription-scenario.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
export type Answer = any

export const aSale = (more: Partial<Parameters<typeof soldBy>[0]> = {}) =>
  soldBy({ price: '100.00', buyer: { country: 'DE' }, ...more })

export async function aLink({ key, orderId }: Pick<Sale, 'key' | 'orderId'>): Promise<string> {
  const { body } = await send(`POST /v1/orders/${orderId}/invoice-update-link`, { key })
  return tokenOf(body.href)
}

export async function filled(token: string, typed: Record<string, string> = {}): Promise<URLSearchParams> {
  const page = await invoiceUpdatePage(token, 'form')
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  return new URLSearchParams({ ...page.form, version: page.version, taxId: 'DE1', ...typed })
}

export const orderOf = ({ key, orderId }: Sale): Promise<Answer> => get(key, `/v1/orders/${orderId}`)

export const refundsOf = async ({ key, orderId }: Sale): Promise<Answer[]> =>
  (await get(key, `/v1/orders/${orderId}/refunds`)).data

export async function documentsOf({ key }: Sale): Promise<unknown[]> {
  const { data } = await get(key, '/v1/orders?limit=100')
  return data
    .toReversed()
    .map(({ invoiceNumber, total, taxSummary: [tax] }: Answer) => [invoiceNumber, total.value, tax.taxRate.name])
}

export const corrected = [
  ['TEST-INV-2026-000001', '119.00', 'VAT'],
  ['TEST-CN-2026-000001', '119.00', 'VAT'],
  ['TEST-INV-2026-000002', '100.00', 'Reverse charge'],
]
