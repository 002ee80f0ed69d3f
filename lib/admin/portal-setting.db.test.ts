import { beforeAll, expect, test } from 'vitest'
import { portalChangesOf } from '../modules/accounts/store.ts'
import { db } from '../platform/db/db.ts'
import { aPlan, aProduct } from '../testing/factories.ts'
import { anOperator } from '../testing/operator.ts'
import { aShop } from '../testing/shop.ts'
import { setPortalChangesTyped } from '../workflows/storefronts/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null
beforeAll(async () => {
  ;({ cookies } = await anOperator('portal-setting@example.com'))
})

async function aSetting() {
  const shop = await aShop()
  const place = { mode: 'test', storefrontId: shop.storefrontId }
  const read = async () => {
    const page = await admin.portalPage(place, cookies)
    if (!page) throw new Error('no page')
    return page
  }
  const submit = async (asked: [string, string][], formKey?: string) =>
    admin.submitPortal(place, new URLSearchParams([['key', formKey ?? (await read()).formKey], ...asked]), cookies)
  return { shop, read, submit, stored: () => portalChangesOf(db(), shop.storefrontId) }
}

test('subscription changes in the portal are disabled by default, and submitting one settings form twice adds one audit entry', async () => {
  const { shop, read, submit, stored } = await aSetting()
  const [basic, pro] = [await aPlan(shop.testKey), await aPlan(shop.testKey, { name: 'Team' })]
  const first = await read()
  expect(first).toMatchObject({ quantity: false, isOnHold: false })
  expect(first.plans.map(({ id, isChosen }) => [id, isChosen])).toEqual([
    [pro.id, false],
    [basic.id, false],
  ])
  const asked: [string, string][] = [
    ['quantity', 'yes'],
    ['plan', basic.id],
    ['plan', pro.id],
  ]
  for (let times = 0; times < 2; times++)
    expect((await submit(asked, first.formKey))?.redirectTo).toMatch(/\/portal\?done=saved$/)
  expect(await stored()).toEqual({ quantity: true, planIds: [basic.id, pro.id] })
  expect((await read()).plans.every(({ isChosen }) => isChosen)).toBe(true)
  const entries = await db().audit_entries.findMany({
    where: { subject: shop.storefrontId, action: 'portal.set_changes' },
  })
  expect(entries.map(({ after }) => after)).toEqual([{ quantity: true, planIds: [basic.id, pro.id] }])
})

test('saving the plans that customers can choose in the portal keeps the chosen plans of the other mode', async () => {
  const { shop, submit, stored } = await aSetting()
  const [ofTest, ofLive] = [await aPlan(shop.testKey), await aPlan(shop.liveKey)]
  await setPortalChangesTyped(shop.storefrontId, { planIds: [ofTest.id, ofLive.id] })
  expect(await stored()).toEqual({ quantity: false, planIds: [ofTest.id, ofLive.id] })
  await submit([])
  expect(await stored()).toEqual({ quantity: false, planIds: [ofLive.id] })
  await setPortalChangesTyped(shop.storefrontId, { quantity: true })
  expect(await stored()).toEqual({ quantity: true, planIds: [ofLive.id] })
  await setPortalChangesTyped(shop.storefrontId, { planIds: [] })
  expect(await stored()).toEqual({ quantity: true, planIds: [] })
})

test('the form for the portal plans refuses a product, an unknown id, and a plan of another storefront or mode', async () => {
  const { shop, submit, stored } = await aSetting()
  const other = await aShop()
  const wrong = [
    (await aPlan(other.testKey)).id,
    (await aPlan(shop.liveKey)).id,
    (await aProduct(shop.testKey)).id,
    'subscription_plan_x',
  ]
  for (const id of wrong) expect((await submit([['plan', id]]))?.redirectTo, id).not.toContain('done=')
  await expect(setPortalChangesTyped(shop.storefrontId, { planIds: [wrong[0] ?? ''] })).rejects.toMatchObject({
    code: 'validation_failed',
  })
  await expect(setPortalChangesTyped('storefront_0', { quantity: true })).rejects.toThrow()
  expect(await stored()).toEqual({ quantity: false, planIds: [] })
})

test('a plan that is archived remains chosen for the portal, and the settings page marks the plan as archived', async () => {
  const { shop, read, submit, stored } = await aSetting()
  const plan = await aPlan(shop.testKey)
  await submit([['plan', plan.id]])
  await db().products.update({ where: { id: plan.id }, data: { archived_at: new Date() } })
  expect((await read()).plans).toMatchObject([{ id: plan.id, isChosen: true, isArchived: true }])
  await submit([['plan', plan.id]])
  expect((await stored()).planIds).toEqual([plan.id])
})
