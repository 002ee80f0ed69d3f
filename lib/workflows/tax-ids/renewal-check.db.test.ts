import { beforeEach, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { company, german, liveTaxShop } from '../../testing/live-tax.ts'
import { runDueTasks, tokenOf } from '../../testing/shop.ts'
import { submitBillingUpdate } from '../billing-update/submit-billing-update.ts'
import { submitInvoiceUpdate } from '../invoice-update/submit-invoice-update.ts'

const live = liveTaxShop({ interval: 'year', intervalCount: 1 })
const address = { country: 'DE', ...company }
const [first, other] = [german.taxId, 'DE129273398']

beforeEach(() => {
  for (const id of [first, other])
    live.vies.register({ countryCode: 'DE', vatNumber: id.slice(2), name: 'Beispiel GmbH', address: 'Berlin' })
})

async function decideLast(): Promise<void> {
  const mandate = { provider: 'second', method: 'card', maskedIdentifier: '4242', status: 'valid' } as const
  await live.decideLast({ status: 'paid', mandate: { ref: crypto.randomUUID(), ...mandate } })
}

async function subscribed(taxId: string) {
  const { checkout, pay } = await live.aSale()
  await pay({ ...address, taxId })
  await decideLast()
  const { id: orderId } = await db().orders.findUniqueOrThrow({ where: { checkout_id: checkout.id } })
  const { id, renewed_until } = await db().subscriptions.findFirstOrThrow({
    where: { storefront_id: live.shop.storefrontId, status: 'active' },
    orderBy: { id: 'desc' },
  })
  const asked = async () => {
    const tasks = await db().tasks.findMany({ where: { name: 'tax.check_id', key: { startsWith: `${id} ` } } })
    return tasks.map(({ data, due_at }) => {
      const before = (renewed_until?.getTime() ?? 0) - due_at.getTime()
      return [(data as { taxId: string }).taxId, before / 3_600_000]
    })
  }
  return { id, orderId, asked }
}

async function updateBilling(id: string, form: Record<string, string>): Promise<void> {
  const redirects = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }
  const { body } = await send(`POST /v1/subscriptions/${id}/billing-update-link`, {
    key: live.shop.liveKey,
    body: redirects,
  })
  const sent = new URLSearchParams({ ...address, fullName: 'Ada', version: '0', ...form })
  await submitBillingUpdate(tokenOf(body.href), sent, { acceptLanguage: 'en' })
}

it('before a renewal, the registry is asked about the tax ID from a billing update', async () => {
  const { id, asked } = await subscribed('')
  expect(await asked()).toEqual([])
  await updateBilling(id, { taxId: first, paymentMethod: 'keep' })
  expect(await asked()).toEqual([[first, 24]])

  await updateBilling(id, { taxId: other, paymentMethod: 'creditcard' })
  expect(await asked()).toEqual([[first, 24]])
  await decideLast()
  expect(await asked()).toEqual([[other, 24]])
})

it('before a renewal, the registry is asked about the tax ID from an invoice update', async () => {
  const { orderId, asked } = await subscribed(first)
  expect(await asked()).toEqual([[first, 24]])
  const { body } = await send(`POST /v1/orders/${orderId}/invoice-update-link`, { key: live.shop.liveKey })
  const form = { ...address, fullName: 'Ada', taxId: other, useForLaterOrders: 'true' }
  await submitInvoiceUpdate(tokenOf(body.href), new URLSearchParams(form))
  expect(await asked()).toEqual([[other, 24]])
})

it.each([
  ['stays as it was, the registry is asked once', async () => undefined, 1],
  [
    'does not take place, because the subscription was canceled, the registry is not asked',
    async (id: string) =>
      expect((await send(`DELETE /v1/subscriptions/${id}?immediately=true`, { key: live.shop.liveKey })).status).toBe(
        204,
      ),
    0,
  ],
  [
    'belongs to a subscription whose tax ID was removed, the registry is not asked',
    (id: string) => updateBilling(id, { taxId: '', paymentMethod: 'keep' }),
    0,
  ],
])('when the tax ID check before a renewal is due, and the renewal %s', async (_, change, requests) => {
  const { id } = await subscribed(first)
  await change(id)
  const task = { name: 'tax.check_id', key: { startsWith: `${id} ` } }
  const before = await db().tax_id_checks.count()
  expect((await db().tasks.updateMany({ where: task, data: { run_at: new Date() } })).count).toBe(1)
  await runDueTasks()
  expect((await db().tax_id_checks.count()) - before).toBe(requests)
  expect(await db().tasks.count({ where: task })).toBe(0)
})
