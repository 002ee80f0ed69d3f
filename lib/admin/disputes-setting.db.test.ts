import { expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { aShop } from '../testing/shop.ts'
import * as admin from './pages.ts'

const merchantOf = async (id: string) => (await db().storefronts.findUniqueOrThrow({ where: { id } })).merchant_id

test('an owner sets whether disputes end subscriptions, and a support member can only read the setting', async () => {
  const shop = await aShop()
  const place = { mode: 'test', storefrontId: shop.storefrontId }
  const { cookies } = await anOperator('disputes@example.com')
  const settingOf = async (by: string | null = cookies) =>
    (await admin.chargebacksPage(place, {}, by))?.endSubscriptions
  const first = await settingOf()
  expect(first).toMatchObject({ isOn: true, mayChange: true })
  const form = (intent: string, key = first?.formKey ?? '') => new URLSearchParams({ key, intent })
  const next = await admin.submitChargebacks(place, form('off'), cookies)
  expect(next?.redirectTo).toMatch(/\/chargebacks\?done=off$/)
  expect(await settingOf()).toMatchObject({ isOn: false })
  await admin.submitChargebacks(place, form('off'), cookies)
  await admin.submitChargebacks(place, form('on', (await settingOf())?.formKey), cookies)
  expect(await settingOf()).toMatchObject({ isOn: true })
  const entries = await db().audit_entries.findMany({
    where: { subject: shop.storefrontId, action: { startsWith: 'disputes.' } },
    orderBy: { seq: 'asc' },
  })
  expect(entries.map(({ action }) => action)).toEqual(['disputes.leave_subscriptions', 'disputes.end_subscriptions'])
  const support = (await aMember('support@example.com', await merchantOf(shop.storefrontId), 'support')).cookies
  expect(await settingOf(support)).toMatchObject({ isOn: true, mayChange: false })
  expect(await admin.submitChargebacks(place, form('off', (await settingOf())?.formKey), support)).toBeNull()
  expect(await settingOf()).toMatchObject({ isOn: true })
})
