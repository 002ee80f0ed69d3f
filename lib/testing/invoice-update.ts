import { expect } from 'vitest'
import { visitorOf } from '../platform/http/visitor.ts'
import { invoiceUpdatePage, loadInvoiceUpdate } from '../workflows/invoice-update/load-invoice-update.ts'
import { invoiceVersions } from '../workflows/invoice-update/operations.ts'
import { submitInvoiceUpdate } from '../workflows/invoice-update/submit-invoice-update.ts'
import { send } from './api.ts'
import { aCheckout, aProduct, pay } from './factories.ts'
import { type Answer, aShop, type Shop, tokenOf } from './shop.ts'
import { drainTasks, get, ordersOf, type Scenario } from './subscription-scenario.ts'

export const statusOf = async (token: string) =>
  (await loadInvoiceUpdate(token, visitorOf(new Headers()), new URLSearchParams())).status

export interface Sale {
  readonly key: string
  readonly orderId: string
}

export async function aSale(buyer: object = {}, options: object = {}): Promise<Sale & { shop: Shop }> {
  const shop = await aShop({ at: '2027-12-01T00:00:00Z' })
  const key = shop.testKey
  const { id } = await aProduct(key)
  const checkout = await pay(key, await aCheckout(key, id, options), { country: 'DE', ...buyer })
  await drainTasks()
  return { key, orderId: checkout.orderId, shop }
}

export const firstOrder = async (scenario: Scenario): Promise<Sale> => ({
  key: scenario.key,
  orderId: (await ordersOf(scenario))[0].id,
})

export const asking = ({ key, orderId }: Sale) => send(`POST /v1/orders/${orderId}/invoice-update-link`, { key })

export async function aLink(sale: Sale): Promise<string> {
  const reply = await asking(sale)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  expect(reply.body).toEqual({
    href: expect.stringMatching(/^http:\/\/billhook\.test\/invoice-update\/[0-9A-Za-z_-]{44}$/),
    type: 'text/html',
  })
  return tokenOf(reply.body.href)
}

export async function openPage(token: string) {
  const page = await invoiceUpdatePage(token, 'form')
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  expect(await statusOf(token)).toBe(200)
  return page
}

export async function filled(token: string, typed: Record<string, string>): Promise<URLSearchParams> {
  const { form, version } = await openPage(token)
  return new URLSearchParams({ ...form, version, ...typed })
}

export const save = async (token: string, typed: Record<string, string>) =>
  submitInvoiceUpdate(token, await filled(token, typed))

export const saved = { redirectTo: expect.stringMatching(/^\/invoice-update\/[0-9A-Za-z_-]{44}\?saved$/) }
export const orderOf = ({ key, orderId }: Sale): Promise<Answer> => get(key, `/v1/orders/${orderId}`)

export const versionsOf = async ({ orderId }: Sale) =>
  (await invoiceVersions(orderId)).map(({ version, current, companyName, city }) => ({
    version,
    current,
    companyName,
    city,
  }))
