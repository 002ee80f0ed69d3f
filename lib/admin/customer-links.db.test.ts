import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import { db } from '../platform/db/db.ts'
import { send } from '../testing/api.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { lockOn } from '../testing/lock-on.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { raceBehind } from '../testing/race-behind.ts'
import { ask, ordersOf, pass, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { emailLink } from '../workflows/customer-links/operations.ts'
import { erase } from '../workflows/erasure/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
beforeAll(async () => {
  ;({ cookies } = await anOperator('customer-links@example.com'))
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const place = ({ shop }: Scenario, mode = 'test') => ({ mode, storefrontId: shop.storefrontId })
const tenantOf = ({ shop }: Scenario) => ({ storefrontId: shop.storefrontId, testmode: true })
const invoiceOf = async (scenario: Scenario): Promise<string> => (await ordersOf(scenario))[0].id

const press = (
  scenario: Scenario,
  id: string,
  { intent, link, key = crypto.randomUUID() }: { intent: string; link: string; key?: string },
  { by = cookies, mode = 'test' }: { by?: string | null; mode?: string } = {},
) => admin.submitCustomerLink(place(scenario, mode), id, new URLSearchParams({ intent, link, key }), by)

const stateAfter = (next: Awaited<ReturnType<typeof press>>) => ({
  form: new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form'),
  cookies: `${cookies}; ${next && 'cookie' in next ? next.cookie?.split(';')[0] : ''}`,
})

const emails = ({ shop }: Scenario) =>
  db().emails.findMany({ where: { storefront_id: shop.storefrontId, kind: 'customer_link' } })

describe('the links for a customer', () => {
  test('customer, subscription, and order pages offer a portal link, subscription pages a payment method link, and order pages an invoice link', async () => {
    const scenario = await subscriptionScenario()
    const offers = (page: { links: { offers: unknown } | null } | null) => page?.links?.offers
    const portal = { link: 'portal', block: null }
    const at = place(scenario)
    expect(offers(await admin.customerPage(at, scenario.customerId, cookies))).toEqual([portal])
    expect(offers(await admin.subscriptionPage(at, scenario.id, cookies))).toEqual([
      { link: 'payment_method', block: null },
      portal,
    ])
    expect(offers(await admin.orderPage(at, await invoiceOf(scenario), cookies))).toEqual([
      { link: 'invoice', block: null },
      portal,
    ])
  })

  test('sending a link form twice creates one link and one audit entry, and only the creator sees the link', async () => {
    const scenario = await subscriptionScenario()
    const key = crypto.randomUUID()
    const asked = { intent: 'create-link', link: 'portal', key }
    const next = await press(scenario, scenario.customerId, asked)
    const again = await press(scenario, scenario.customerId, asked)
    const linkOn = async (of: typeof next) => {
      const { form, cookies: by } = stateAfter(of)
      return (await admin.customerPage(place(scenario), scenario.customerId, by, form))?.links?.created
    }
    const created = await linkOn(next)
    expect(created).toMatchObject({ link: 'portal', url: expect.stringMatching(/\/portal\/link\/.{40}/) })
    expect(await linkOn(again)).toEqual(created)
    const { customerId: customer_id } = scenario
    const sessions = await db().portal_sessions.findMany({ where: { customer_id } })
    expect(sessions.map((each) => each.expires_at.getTime() - each.created_at.getTime())).toEqual([15 * 60_000])
    const [entry, before] = await auditLog(null, 2)
    expect(entry).toMatchObject({ action: 'customer_link.create', subject: customer_id, after: { link: 'portal' } })
    expect(before?.action).not.toBe('customer_link.create')
    const { cookies: other } = await anOperator('customer-links-other@example.com')
    const { form, cookies: left } = stateAfter(next)
    const cookiesOfOther = `${other}; ${left.split('; ').at(-1)}`
    const page = await admin.customerPage(place(scenario), scenario.customerId, cookiesOfOther, form)
    expect(page?.links?.created).toBeNull()
  })

  test('the link from a subscription page opens the billing update, and the link from an order page opens the invoice update', async () => {
    const scenario = await subscriptionScenario()
    const orderId = await invoiceOf(scenario)
    const method = stateAfter(await press(scenario, scenario.id, { intent: 'create-link', link: 'payment_method' }))
    expect(
      (await admin.subscriptionPage(place(scenario), scenario.id, method.cookies, method))?.links?.created,
    ).toEqual({
      link: 'payment_method',
      url: expect.stringContaining('/billing-update/'),
    })
    const invoice = stateAfter(await press(scenario, orderId, { intent: 'create-link', link: 'invoice' }))
    const page = await admin.orderPage(place(scenario), orderId, invoice.cookies, invoice.form)
    expect(page?.links?.created).toEqual({ link: 'invoice', url: expect.stringContaining('/invoice-update/') })
  })

  test('a customer link is emailed in the language of the customer, at most three times in 24 hours', async () => {
    const scenario = await subscriptionScenario({ checkout: { locale: 'de' } })
    const orderId = await invoiceOf(scenario)
    const sent = [
      await press(scenario, scenario.customerId, { intent: 'email-link', link: 'portal' }),
      await press(scenario, scenario.id, { intent: 'email-link', link: 'payment_method' }),
      await press(scenario, orderId, { intent: 'email-link', link: 'invoice' }),
    ]
    expect(sent.map((next) => next?.redirectTo)).toEqual([
      expect.stringMatching(/\/customers\/\w+\?done=customerLinkSent$/),
      expect.stringMatching(/\/subscriptions\/\w+\?done=customerLinkSent$/),
      expect.stringMatching(/\/orders\/\w+\?done=customerLinkSent$/),
    ])
    const rows = await emails(scenario)
    expect(rows.map(({ locale }) => locale)).toEqual(['de', 'de', 'de'])
    expect(rows.map(({ subscription_id }) => subscription_id)).toEqual([null, scenario.id, null])
    const [first] = rows
    const page = await admin.emailPage(place(scenario), first?.id ?? '', cookies)
    expect(page?.subject).toMatch(/^Ihre Käufe bei /)
    expect(page?.text).toContain('/portal/link/')
    expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'customer_link.email', after: { link: 'invoice' } })
    const fourth = await press(scenario, scenario.customerId, { intent: 'email-link', link: 'portal' })
    expect(fourth?.redirectTo).toMatch(/\?done=customerLinkLimit$/)
    expect(await emails(scenario)).toHaveLength(3)
    await pass(scenario, 'P1DT1H')
    const later = await press(scenario, scenario.customerId, { intent: 'email-link', link: 'portal' })
    expect(later?.redirectTo).toMatch(/\?done=customerLinkSent$/)
  })

  test('if four members email a customer link at the same time, one email is refused because of the limit', async () => {
    const scenario = await subscriptionScenario()
    const email = () => emailLink(tenantOf(scenario), { link: 'portal', id: scenario.customerId })
    const ends = await raceBehind(lockOn('customers', scenario.customerId), [email, email, email, email])
    const results = ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))
    expect(results.sort()).toEqual(['limit_reached', 'sent', 'sent', 'sent'])
    expect(await emails(scenario)).toHaveLength(3)
  })

  test('the links for an ended subscription, an erased customer, and an order without an invoice are blocked with a reason', async () => {
    const scenario = await subscriptionScenario({ item: { trialDays: 30 } })
    const [trialOrder] = await ordersOf(scenario)
    const block = async (page: { links: { offers: readonly { block: string | null }[] } | null } | null) =>
      page?.links?.offers.map((offer) => offer.block)
    const at = place(scenario)
    expect(await block(await admin.customerPage(at, scenario.customerId, cookies))).toEqual(['no_invoice'])
    if (trialOrder)
      expect(await block(await admin.orderPage(at, trialOrder.id, cookies))).toEqual(['not_invoiced', 'no_invoice'])
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    expect(await block(await admin.subscriptionPage(at, scenario.id, cookies))).toEqual(['not_ongoing', 'no_invoice'])
    const refused = [
      await press(scenario, scenario.id, { intent: 'create-link', link: 'payment_method' }),
      await press(scenario, scenario.customerId, { intent: 'email-link', link: 'portal' }),
    ]
    expect(refused.map((next) => next?.redirectTo.split('?')[1])).toEqual([
      'failed=subscription_not_changeable',
      'failed=portal_not_eligible',
    ])
    await erase(scenario.customerId)
    expect(await block(await admin.customerPage(at, scenario.customerId, cookies))).toEqual(['erased'])
    expect(await emails(scenario)).toHaveLength(0)
  })

  test('customer links are refused for roles without the permission and in other storefronts or modes', async () => {
    const scenario = await subscriptionScenario()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: scenario.shop.storefrontId } })
    const { cookies: by } = await aMember('accountant-links@example.com', merchant_id, 'accountant')
    expect((await admin.customerPage(place(scenario), scenario.customerId, by))?.links).toBeNull()
    for (const intent of ['create-link', 'email-link'])
      expect(await press(scenario, scenario.customerId, { intent, link: 'portal' }, { by })).toBeNull()
    const live = await press(scenario, scenario.id, { intent: 'email-link', link: 'payment_method' }, { mode: 'live' })
    expect(live).toBeNull()
    const other = await subscriptionScenario()
    const foreign = await press(other, scenario.customerId, { intent: 'email-link', link: 'portal' })
    expect(foreign?.redirectTo).toMatch(/\?failed=not_found$/)
    expect(await emails(scenario)).toHaveLength(0)
    const { body } = await send(`GET /v1/customers/${scenario.customerId}`, { key: scenario.key })
    expect(body.id).toBe(scenario.customerId)
  })
})
