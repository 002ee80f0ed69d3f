import { unzipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { GET as zip } from '../../../app/(hosted)/portal/(session)/invoices/zip/route.ts'
import { POST as language } from '../../../app/(hosted)/portal/(session)/language/route.ts'
import { POST as leave } from '../../../app/(hosted)/portal/(session)/sign-out/route.ts'
import { POST as act } from '../../../app/(hosted)/portal/(session)/subscriptions/[id]/submit/route.ts'
import { locales } from '../../kernel/locale.ts'
import { portalCookie } from '../../modules/portal/browser.ts'
import { endSessions, signInPages } from '../../modules/portal/operations.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { copySale } from '../../testing/bulk.ts'
import { aCheckout, pay } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { portalCookies as signIn, portalVisitor as visitor } from '../../testing/portal.ts'
import { prototypeNames } from '../../testing/prototype-names.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { eventsOf, tokenOf } from '../../testing/shop.ts'
import {
  clockTo,
  get,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { submitPortalLink } from '../portal-sign-in/submit-sign-in.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import {
  cancelPage,
  documentsPage,
  documentsZip,
  loadCancellation,
  loadDocuments,
  loadOverview,
  loadSubscription,
  overview,
  subscriptionPage,
} from './load-portal.ts'
import { submitSubscription } from './submit-portal.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const at = '2027-01-01T00:00:00Z'

const form = (intent: string, more: Record<string, string> = {}) => new URLSearchParams({ intent, ...more })

const listed = (query: Record<string, string> = {}) => new URLSearchParams(query)

/** The headers that a browser sends with a form of our page. The origin is `null`, because our pages send no referrer. */
const posted = (cookies: string, body: URLSearchParams, headers: Record<string, string> = {}) =>
  new Request('http://localhost/portal', {
    method: 'POST',
    body,
    headers: { cookie: cookies, origin: 'null', 'sec-fetch-site': 'same-origin', ...headers },
  })
const params = (id: string) => ({ params: Promise.resolve({ id }) })
const none = { params: Promise.resolve({}) }

describe('the portal', () => {
  test('the portal shows the next charge and the invoices', async () => {
    const scenario = await subscriptionScenario({ at, item: { quantity: 2 } })
    const cookies = await signIn(scenario, { returnUrl: 'https://shop.example/account' })
    const page = await overview(visitor(cookies))
    expect(page).toMatchObject({
      returnUrl: 'https://shop.example/account',
      testmode: true,
      documentsUrl: null,
      documents: [{ kind: 'invoice', number: 'TEST-INV-2027-000001', total: { value: '200.00', currency: 'EUR' } }],
      subscriptions: [
        {
          id: scenario.id,
          quantity: 2,
          status: 'active',
          nextCharge: { total: { value: '200.00', currency: 'EUR' } },
          due: null,
        },
      ],
    })
    expect(page?.subscriptions[0]?.nextCharge?.at).toMatch(/^2027-02-01T/)
  })

  test('the portal shows nothing without a session, and never shows data of other customers', async () => {
    const [mine, other] = [await subscriptionScenario(), await subscriptionScenario()]
    const cookies = await signIn(mine)
    for (const wrong of [null, `${portalCookie}=${'x'.repeat(43)}`]) {
      expect([await overview(visitor(wrong)), await documentsPage(listed(), visitor(wrong))]).toEqual([null, null])
      expect((await loadOverview(visitor(wrong))).status).toBe(404)
    }
    expect(await subscriptionPage(other.id, visitor(cookies))).toBeNull()
    expect(await cancelPage(other.id, visitor(cookies))).toBeNull()
    expect((await loadSubscription(other.id, visitor(cookies))).status).toBe(404)
    expect(await submitSubscription(other.id, form('cancel'), cookies)).toEqual({ redirectTo: '/portal' })
    expect((await subscriptionOf(other)).status).toBe('active')
    expect((await documentsPage(listed(), visitor(cookies)))?.documents).toHaveLength(1)
  })

  test('the portal ignores a form with an unknown intent, including an inherited JavaScript property name such as "constructor"', async () => {
    const scenario = await subscriptionScenario()
    const cookies = await signIn(scenario)
    for (const intent of ['', 'delete', ...prototypeNames]) {
      const next = await submitSubscription(scenario.id, form(intent), cookies)
      expect(next, intent).toEqual({ redirectTo: `/portal/subscriptions/${scenario.id}` })
    }
    expect((await subscriptionOf(scenario)).status).toBe('active')
  })

  test('an id that PostgreSQL cannot store is not found in the portal', async () => {
    const cookies = await signIn(await subscriptionScenario())
    const nul = '\u0000'
    expect((await loadSubscription(nul, visitor(cookies))).status).toBe(404)
    expect(await subscriptionPage(nul, visitor(cookies))).toBeNull()
    expect(await cancelPage(nul, visitor(cookies))).toBeNull()
    expect(await submitSubscription(nul, form('cancel'), cookies)).toEqual({ redirectTo: '/portal' })
    expect((await documentsPage(listed({ before: nul }), visitor(cookies)))?.documents).toHaveLength(1)
    expect((await documentsZip(listed({ before: nul }), visitor(cookies)))?.bytes.length).toBeGreaterThan(0)
  })

  test('a portal page responds 403 after the end of the session, and 404 for another customer’s object', async () => {
    const scenario = await subscriptionScenario()
    const customer = visitor(await signIn(scenario))
    const statuses = async (of: typeof customer) => [
      (await loadOverview(of)).status,
      (await loadDocuments(of, new URLSearchParams())).status,
      (await loadSubscription(scenario.id, of)).status,
      (await loadCancellation(scenario.id, of)).status,
    ]
    expect(await statuses(customer)).toEqual([200, 200, 200, 200])
    expect((await loadSubscription('subscription_0', customer)).status).toBe(404)
    expect(await statuses(visitor(null))).toEqual([404, 404, 404, 404])
    await submitSubscription(scenario.id, form('cancel'), customer.header('cookie'))
    expect((await loadCancellation(scenario.id, customer)).status).toBe(404)
    await endSessions(scenario.customerId)
    expect(await statuses(customer)).toEqual([403, 403, 403, 403])
  })
})

const objectsOf = async ({ key }: Pick<Scenario, 'key'>, name: string) =>
  (await get(key, `/v1/webhook-events?eventName=${name}`)).data.map(({ object }: { object: unknown }) => object)

describe('a cancellation by the customer', () => {
  test('a cancellation takes effect at the end of the paid period, stores the reason, and can be undone', async () => {
    const scenario = await subscriptionScenario({ at })
    const cookies = await signIn(scenario)
    expect((await cancelPage(scenario.id, visitor(cookies)))?.endsAt).toMatch(/^2027-02-01T/)
    const said = { reason: 'too_expensive', comment: 'See you' }
    const page = `/portal/subscriptions/${scenario.id}`
    expect(await submitSubscription(scenario.id, form('cancel', said), cookies)).toEqual({
      redirectTo: `${page}?done=canceled`,
    })
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'on_grace_period',
      cancellationReason: 'customer_request',
      cancellationFeedback: said,
      nextRenewalAt: null,
    })
    const [canceled] = await objectsOf(scenario, 'subscription.canceled_with_grace_period')
    expect(canceled).toEqual(await subscriptionOf(scenario))
    expect((await get(scenario.key, '/v1/subscriptions')).data).toEqual([canceled])
    expect(await db().cancellation_feedback.findMany({ where: { subscription_id: scenario.id } })).toMatchObject([said])
    expect(await cancelPage(scenario.id, visitor(cookies))).toBeNull()
    expect((await subscriptionPage(scenario.id, visitor(cookies)))?.resume).toEqual({
      nextCharge: { total: { value: '100.00', currency: 'EUR' }, at: expect.stringMatching(/^2027-02-01T/) },
    })

    expect(await submitSubscription(scenario.id, form('resume'), cookies)).toEqual({
      redirectTo: `${page}?done=resumed`,
    })
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'active',
      cancellationReason: null,
      cancellationFeedback: null,
    })
    expect(await submitSubscription(scenario.id, form('resume'), cookies)).toEqual({
      redirectTo: `${page}?done=unchanged`,
    })
    expect((await eventsOf(scenario.shop)).filter((name) => /canceled|resumed/.test(name))).toEqual([
      'subscription.canceled_with_grace_period',
      'subscription.resumed',
    ])
  })

  test('concurrent cancellations by the customer cancel the subscription once', async () => {
    const scenario = await subscriptionScenario({ at })
    const cookies = await signIn(scenario)
    const hold = { sql: 'SELECT 1 FROM subscriptions WHERE id = $1 FOR UPDATE', values: [scenario.id] }
    const cancel = () => submitSubscription(scenario.id, form('cancel'), cookies)
    const ends = await raceBehind(
      hold,
      Array.from({ length: 20 }, () => cancel),
      3,
    )
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await eventsOf(scenario.shop)).filter((name) => name.includes('canceled'))).toHaveLength(1)
  })

  test('an ended subscription cannot be canceled or resumed, and its page shows the status canceled', async () => {
    const scenario = await subscriptionScenario({ at })
    const cookies = await signIn(scenario)
    await submitSubscription(scenario.id, form('cancel'), cookies)
    await clockTo(scenario.key, '2027-02-02T00:00:00Z')
    for (const intent of ['cancel', 'resume', 'update'])
      expect((await submitSubscription(scenario.id, form(intent), cookies))?.redirectTo).toMatch(/\?done=unchanged$/)
    expect((await submitSubscription(scenario.id, form('no such intent'), cookies))?.redirectTo).not.toContain('?')
    expect(await subscriptionPage(scenario.id, visitor(cookies))).toMatchObject({
      canUpdate: false,
      cancelUrl: null,
      resume: null,
      subscription: { status: 'canceled', nextCharge: null },
    })
  })
})

test('the button for the payment method opens the billing update page, which leads back to the portal', async () => {
  const scenario = await subscriptionScenario({ at })
  const next = await submitSubscription(scenario.id, form('update'), await signIn(scenario))
  expect(next?.redirectTo).toMatch(/\/billing-update\/[\w-]{44}$/)
  const [link] = await db().billing_update_links.findMany({ where: { subscription_id: scenario.id } })
  expect(link?.redirect_url_success).toMatch(new RegExp(`/portal/subscriptions/${scenario.id}\\?done=updated$`))
  expect(link?.redirect_url_canceled).toMatch(new RegExp(`/portal/subscriptions/${scenario.id}$`))
})

test('the portal shows a scheduled plan or quantity and its start day', async () => {
  const scenario = await subscriptionScenario({ at })
  const cookies = await signIn(scenario)
  const shown = async () => (await overview(visitor(cookies)))?.subscriptions[0]?.scheduled
  expect(await shown()).toBeNull()
  await send(`PATCH /v1/subscriptions/${scenario.id}`, {
    key: scenario.key,
    body: { quantity: 5, applyImmediately: false },
  })
  expect(await shown()).toEqual({ name: 'Pro', quantity: 5, at: expect.stringMatching(/^2027-02-01T/) })
  await submitSubscription(scenario.id, form('cancel'), cookies)
  expect(await shown()).toBeNull()
})

test('the portal shows the unpaid amount and the reason after a declined renewal', async () => {
  const scenario = await subscriptionScenario({ at })
  await declineMandate(scenario.id, 'insufficient_funds')
  await clockTo(scenario.key, '2027-02-02T00:00:00Z')
  expect((await overview(visitor(await signIn(scenario))))?.subscriptions[0]?.due).toEqual({
    total: { value: '100.00', currency: 'EUR' },
    reason: 'insufficient_funds',
    chargedAgainAt: expect.stringMatching(/^2027-02-03T/),
  })
})

describe('the invoices in the portal', () => {
  test('the list of invoices has pages, and each page is available as a ZIP file of PDFs', async () => {
    const scenario = await subscriptionScenario({ at })
    await copySale(scenario, 53)
    const cookies = await signIn(scenario)
    const first = await documentsPage(listed(), visitor(cookies))
    expect(first?.documents).toHaveLength(50)
    const before = new URL(first?.olderUrl ?? '', 'https://x.example').searchParams.get('before')
    const second = await documentsPage(listed({ before: before ?? '' }), visitor(cookies))
    const numbers = (page: typeof first) => page?.documents.map(({ number }) => number) ?? []
    expect(numbers(second)).toHaveLength(3)
    const all = [...numbers(first), ...numbers(second)]
    const numbered = (n: number) => `TEST-INV-2027-0000${String(n).padStart(2, '0')}`
    expect(all.toSorted()).toEqual(Array.from({ length: 53 }, (_, n) => numbered(n + 1)))
    // The position of the copied sale is random. The copies are listed newest first.
    expect(all.filter((number) => number !== numbered(1))).toEqual(
      Array.from({ length: 52 }, (_, n) => numbered(53 - n)),
    )
    expect([second?.olderUrl, second?.newestUrl]).toEqual([null, '/portal/invoices'])
    expect((await overview(visitor(cookies)))?.documentsUrl).toBe('/portal/invoices')

    const response = await zip(new Request(`http://localhost${second?.zipUrl}`, { headers: { cookie: cookies } }))
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('cache-control')).toBe('no-store, private')
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    expect(Object.keys(files).sort()).toEqual(
      numbers(second)
        .toSorted()
        .map((number) => `${number}.pdf`),
    )
    for (const file of Object.values(files)) expect(new TextDecoder().decode(file.slice(0, 5))).toBe('%PDF-')
  })

  test('the ZIP file of invoices requires a session', async () => {
    const response = await zip(new Request('http://localhost/portal/invoices/zip'))
    expect([response.status, response.headers.get('location')]).toEqual([303, '/portal'])
  })

  test('a list of invoices contains only invoices of the customer, even if its cursor is an invoice of another customer', async () => {
    const mine = await subscriptionScenario({ at })
    const sellTo = async (email: string) =>
      (await pay(mine.key, await aCheckout(mine.key, mine.planId), { email })).orderId
    await sellTo('grace@example.com')
    const before = await sellTo('grace@example.com')
    const cookies = await signIn(mine)
    const page = await documentsPage(listed({ before }), visitor(cookies))
    expect(page?.documents.map(({ number }) => number)).toEqual(['TEST-INV-2027-000001'])
    const files = unzipSync((await documentsZip(listed({ before }), visitor(cookies)))?.bytes ?? new Uint8Array())
    expect(Object.keys(files)).toEqual(['TEST-INV-2027-000001.pdf'])
  })
})

describe('a form of the portal', () => {
  test('a portal form from another site or without an origin is refused', async () => {
    const scenario = await subscriptionScenario({ at })
    const cookies = await signIn(scenario)
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const response = await act(posted(cookies, form('cancel'), headers), params(scenario.id))
      expect(response.status).toBe(403)
    }
    const bare = new Request('http://localhost/portal', {
      method: 'POST',
      body: form('cancel'),
      headers: { cookie: cookies },
    })
    expect((await act(bare, params(scenario.id))).status).toBe(403)
    expect((await subscriptionOf(scenario)).status).toBe('active')
  })

  test('a portal form without a session has no effect and redirects to /portal', async () => {
    const scenario = await subscriptionScenario({ at })
    const cookies = await signIn(scenario)
    const response = await act(posted(cookies, form('cancel')), params(scenario.id))
    expect(response.headers.get('location')).toBe(`/portal/subscriptions/${scenario.id}?done=canceled`)
    expect((await subscriptionOf(scenario)).status).toBe('on_grace_period')
    const stranger = await act(posted('', form('resume')), params(scenario.id))
    expect(stranger.headers.get('location')).toBe('/portal')
    expect((await subscriptionOf(scenario)).status).toBe('on_grace_period')
  })

  test('the language form of the portal changes the language of the portal and of later emails', async () => {
    const scenario = await subscriptionScenario({ at })
    const cookies = await signIn(scenario)
    const choose = (locale: string) => language(posted(cookies, new URLSearchParams({ locale })), none)
    for (const locale of locales) {
      await choose(locale)
      await choose('xx')
      expect((await overview(visitor(cookies)))?.locale).toBe(locale)
      const { locale: kept } = await db().customers.findUniqueOrThrow({ where: { id: scenario.customerId } })
      expect(kept).toBe(locale)
    }
  })

  test('signing out removes the cookie and ends the session', async () => {
    const cookies = await signIn(await subscriptionScenario())
    const response = await leave(posted(cookies, new URLSearchParams()), none)
    expect(response.headers.get('set-cookie')).toMatch(new RegExp(`^${portalCookie}=;.*Max-Age=0$`))
    expect(await overview(visitor(cookies))).toBeNull()
    expect((await loadOverview(visitor(cookies))).status).toBe(403)
  })
})

describe('an operator and the portal', () => {
  test('an operator can end all sessions and links of a customer', async () => {
    const [mine, other] = [await subscriptionScenario(), await subscriptionScenario()]
    const [cookies, others] = [await signIn(mine), await signIn(other)]
    const linkFor = async ({ key, customerId }: Scenario) =>
      tokenOf((await send(`POST /v1/customers/${customerId}/portal-sessions`, { key, body: {} })).body.url)
    const [link, othersLink] = [await linkFor(mine), await linkFor(other)]
    expect(await endSessions(mine.customerId)).toEqual({ customerId: mine.customerId, ended: 2 })
    expect(await overview(visitor(cookies))).toBeNull()
    expect(await submitPortalLink(link, new URLSearchParams())).not.toHaveProperty('cookie')
    expect(await submitPortalLink(othersLink, new URLSearchParams())).toHaveProperty('cookie')
    expect(await overview(visitor(others))).not.toBeNull()
    await expect(endSessions('customer_0')).rejects.toThrow()
  })

  test('an operator can list the sign-in pages of a storefront', async () => {
    const { shop } = await subscriptionScenario()
    const { live, test } = await signInPages(shop.storefrontId)
    expect(live).not.toBe(test)
    await expect(signInPages('storefront_0')).rejects.toThrow()
  })
})
