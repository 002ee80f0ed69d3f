import { expect } from 'vitest'
import { db } from '../platform/db/db.ts'
import { loadBillingUpdate } from '../workflows/billing-update/load-billing-update.ts'
import { submitBillingUpdate } from '../workflows/billing-update/submit-billing-update.ts'
import { providerLedger } from '../workflows/reconciliation/provider-ledger.ts'
import { price } from './factories.ts'
import { onProvidersPage } from './scenarios.ts'
import { type Answer, tokenOf } from './shop.ts'
import { pastMidnight } from './subscription-events.ts'
import {
  ask,
  drainTasks,
  get,
  ordersOf,
  type Scenario,
  subscriptionOf,
  withoutPayment,
} from './subscription-scenario.ts'

export const urls = {
  redirectUrlSuccess: 'https://shop.example/ok?a=1',
  redirectUrlCanceled: 'https://back.example/no',
}

export const visitor = { acceptLanguage: 'de', header: () => null }
export const stored = { fullName: 'Ada', taxId: 'DE1', country: 'DE' }

export async function aLink(scenario: Scenario, body: object = {}): Promise<string> {
  const reply = await ask(scenario, 'POST /v1/subscriptions/{id}/billing-update-link', { ...urls, ...body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  expect(reply.body).toEqual({
    href: expect.stringMatching(/^http:\/\/billhook\.test\/billing-update\/./),
    type: 'text/html',
  })
  return tokenOf(reply.body.href)
}

export async function openPage(token: string) {
  const page = (await loadBillingUpdate(token, visitor)).view
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  expect((await loadBillingUpdate(token, visitor)).status).toBe(200)
  return page
}

export async function submitForm(token: string, typed: Record<string, string>) {
  const { form, version } = await openPage(token)
  return submitBillingUpdate(token, new URLSearchParams({ ...form, version, ...typed }), visitor)
}

export const save = async (token: string, typed: Record<string, string>, outcome: Record<string, string> = {}) =>
  onProvidersPage(await submitForm(token, typed), outcome)

export async function during(scenario: Scenario, doing: () => Promise<unknown>) {
  const storefront = { storefront_id: scenario.shop.storefrontId }
  const [eventsBefore, ordersBefore] = [
    await db().events.count({ where: storefront }),
    (await ordersOf(scenario)).length,
  ]
  await doing()
  await drainTasks()
  const rows = await db().events.findMany({ where: storefront, orderBy: { id: 'asc' } })
  const events: Answer[] = rows.slice(eventsBefore).map(({ body }) => JSON.parse(body))
  const lastOfEach = new Map(events.map((event) => [event.entityId, event])).values()
  for (const { entityType, entityId, object } of lastOfEach) {
    const shown = await get(scenario.key, `/v1/${entityType}s/${entityId}`)
    expect(withoutPayment(object)).toEqual(withoutPayment(shown))
  }
  const orders: Answer[] = (await ordersOf(scenario)).slice(ordersBefore)
  return { events: events.map(({ eventName }) => eventName), orders, subscription: await subscriptionOf(scenario) }
}

export const renewal = (scenario: Scenario) => during(scenario, () => pastMidnight(scenario, '2027-07-01'))

export const verification = {
  status: 'paid',
  invoiceNumber: null,
  total: price('0.00'),
  lines: [{ productType: 'billing_details_verification', productId: null }],
}

export const attemptsOf = async (orderId: string) =>
  (await providerLedger(orderId)).map(({ method, status }) => `${method} ${status}`)
