import { filled as filledWith } from './invoice-update.ts'
import { type Sale, aSale as soldBy } from './money-back.ts'
import type { Answer } from './shop.ts'
import { get } from './subscription-scenario.ts'

export const aSale = (more: Partial<Parameters<typeof soldBy>[0]> = {}) =>
  soldBy({ price: '100.00', buyer: { country: 'DE' }, ...more })

export const filled = (token: string, typed: Record<string, string> = {}): Promise<URLSearchParams> =>
  filledWith(token, { taxId: 'DE1', ...typed })

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
