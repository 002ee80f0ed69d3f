import { afterAll, expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { openSessionOf } from '../../modules/portal/browser.ts'
import { portalLinkPath, portalSignInPath } from '../../modules/portal/link.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, aPlan, pay } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { erase } from '../erasure/operations.ts'
import { loadPortalNotice } from './load-notice.ts'
import { submitPortalNotice } from './submit-notice.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const open = new URLSearchParams({ intent: 'open' })
const cookiesOf = (next: { cookie?: string } | null) => next?.cookie?.split(';')[0] ?? null
const aReader = () => subscriptionScenario({ buyer: { email: 'ada@example.com' } })
const emailOf = async ({ shop }: Scenario, kind: string) =>
  (await listEmails(shop.storefrontId)).find((email) => email.kind === kind)
const urlIn = (text = '') => /http\S+\/portal\/notice\/[\w-]{44}/.exec(text)?.[0] ?? ''
const tokenFor = async (scenario: Scenario, kind = 'receipt') => tokenOf(urlIn((await emailOf(scenario, kind))?.text))
const statusOf = async (token: string) => (await loadPortalNotice(token, germanVisitor)).status

test('the personal link in a receipt can open the portal page of the subscription several times', async () => {
  const scenario = await aReader()
  const receipt = await emailOf(scenario, 'receipt')
  expect(receipt?.text).toContain('The link is personal and works for 8 days')
  expect(receipt?.text).not.toContain('/portal/sign-in/')
  const token = tokenOf(urlIn(receipt?.text))
  const { status, view } = await loadPortalNotice(token, germanVisitor)
  expect([status, view?.state, view?.maskedEmail]).toEqual([200, 'usable', 'a***@e***.com'])
  expect(await db().portal_sessions.count({ where: { customer_id: scenario.customerId } })).toBe(0)
  for (const _ of [1, 2]) {
    const next = await submitPortalNotice(token, open)
    expect(next?.redirectTo).toBe(`/portal/subscriptions/${scenario.id}`)
    const session = await openSessionOf(cookiesOf(next))
    expect([session?.session.customerId, session?.tenant]).toEqual([scenario.customerId, scenario.shop.scope])
  }
})

test('the personal link in a cancellation email opens the page of the canceled subscription', async () => {
  const scenario = await aReader()
  await send(`DELETE /v1/subscriptions/${scenario.id}`, { key: scenario.key })
  const next = await submitPortalNotice(await tokenFor(scenario, 'cancellation'), open)
  expect(next?.redirectTo).toBe(`/portal/subscriptions/${scenario.id}`)
})

test('a personal link expires after eight days, and its page can send a new link', async () => {
  const scenario = await aReader()
  const token = await tokenFor(scenario)
  await pass(scenario, 'P7DT23H')
  expect(await statusOf(token)).toBe(200)
  await pass(scenario, 'PT1H')
  expect((await loadPortalNotice(token, germanVisitor)).view?.state).toBe('expired')
  expect(await statusOf(token)).toBe(410)
  const page = `/portal/notice/${token}`
  expect(await submitPortalNotice(token, open)).toEqual({ redirectTo: page })
  const asked = await submitPortalNotice(token, new URLSearchParams({ intent: 'email' }))
  expect(asked?.redirectTo).toBe(`${portalSignInPath(scenario.shop.scope)}?sent`)
  await runDueTasks()
  expect((await emailOf(scenario, 'portal_link'))?.to).toBe('ada@example.com')
})

test('a personal link is invalid after a change of the customer’s email address or an erasure', async () => {
  const scenario = await aReader()
  const token = await tokenFor(scenario)
  const body = { email: 'eve@example.com' }
  expect((await send(`PATCH /v1/customers/${scenario.customerId}`, { key: scenario.key, body })).status).toBe(200)
  const { status, view } = await loadPortalNotice(token, germanVisitor)
  expect([status, view?.maskedEmail]).toEqual([410, 'a***@e***.com'])
  expect((await submitPortalNotice(token, open))?.cookie).toBeUndefined()
  await send(`DELETE /v1/subscriptions/${scenario.id}?immediately=true`, { key: scenario.key })
  await runDueTasks()
  await erase(scenario.customerId)
  expect(await statusOf(token)).toBe(404)
  expect(await submitPortalNotice(token, open)).toBeNull()
})

test('a personal link is invalid after a concurrent change of the customer’s email address', async () => {
  const scenario = await aReader()
  const { key, customerId } = scenario
  const token = await tokenFor(scenario)
  const change = () => send(`PATCH /v1/customers/${customerId}`, { key, body: { email: 'eve@example.com' } })
  const hold = { sql: 'SELECT 1 FROM customers WHERE id = $1 FOR UPDATE', values: [customerId] }
  const racers = [change, () => submitPortalNotice(token, open)]
  const [changed, opened] = await raceBehind<unknown>(hold, racers, 2, undefined, { inTurn: true })
  expect(changed).toMatchObject({ status: 'fulfilled', value: { status: 200 } })
  expect(opened).toEqual({ status: 'fulfilled', value: { redirectTo: `/portal/notice/${token}` } })
  expect(await db().portal_sessions.count({ where: { customer_id: customerId } })).toBe(0)
})

test('the link in a receipt opens the sign-in page if the receipt was sent to an address other than the customer’s', async () => {
  const shop = await aShop()
  const customer = (await send('POST /v1/customers', { key: shop.testKey, body: { email: 'ada@example.com' } })).body
  const { id } = await aPlan(shop.testKey)
  const checkout = await aCheckout(shop.testKey, id, { customerId: customer.id })
  await pay(shop.testKey, checkout, { email: 'accounts@example.com' })
  await runDueTasks()
  const [receipt] = (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'receipt')
  expect(receipt?.to).toBe('accounts@example.com')
  expect(receipt?.text).toContain(portalSignInPath(shop.scope))
  expect(urlIn(receipt?.text)).toBe('')
})

test('a personal link is unknown if one of its characters is changed, or if its id is signed for a portal link', async () => {
  const scenario = await aReader()
  const token = await tokenFor(scenario)
  const id = `mail_${token.slice(0, 22)}`
  const forged = token.slice(0, -1) + (token.endsWith('-') ? 'A' : '-')
  for (const each of [forged, linkToken('portal', id), `${token}x`, '', portalLinkPath(id)])
    expect([await statusOf(each), await submitPortalNotice(each, open)]).toEqual([404, null])
})
