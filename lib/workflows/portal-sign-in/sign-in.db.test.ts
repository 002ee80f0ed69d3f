import { afterAll, describe, expect, test } from 'vitest'
import { listEmails, resendEmail } from '../../modules/emails/operations.ts'
import { openSessionOf, portalCookie } from '../../modules/portal/browser.ts'
import { portalLinkPath, portalSignInPath } from '../../modules/portal/link.ts'
import { linkToken, openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { emailLink } from '../customer-links/operations.ts'
import { loadPortalLink, loadPortalSignIn, portalEnded, portalLinkPage, portalSignInPage } from './load-sign-in.ts'
import { signOut, submitPortalLink, submitPortalSignIn } from './submit-sign-in.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const ask = ({ key, customerId }: Pick<Scenario, 'key' | 'customerId'>, sent: object = {}) =>
  send(`POST /v1/customers/${customerId}/portal-sessions`, { key, ...sent })

async function aLink(scenario: Scenario): Promise<string> {
  const reply = await ask(scenario)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return tokenOf(reply.body.url)
}

const sessionsOf = ({ shop }: Pick<Scenario, 'shop'>) =>
  db().portal_sessions.count({ where: { storefront_id: shop.storefrontId } })

const open = new URLSearchParams({ intent: 'open' })
const idOf = (token: string) => openLinkToken('portal', 'portal_session_', token) ?? ''
const cookiesOf = (next: { cookie?: string } | null) => next?.cookie?.split(';')[0] ?? null
const visitorWith = (cookies: string | null) => ({
  acceptLanguage: 'de',
  header: (name: string) => (name === 'cookie' ? cookies : null),
})

describe('a portal session that the API creates', () => {
  test('a customer with an invoice can get a portal session with a link that is valid for 15 minutes', async () => {
    const scenario = await subscriptionScenario({ at: '2027-01-01T00:00:00Z' })
    const reply = await ask(scenario, { body: { returnUrl: 'https://shop.example/account' } })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('cache-control')).toBe('no-store, private')
    expect(reply.body).toEqual({
      url: expect.stringMatching(/\/portal\/link\/[\w-]{44}$/),
      expiresAt: expect.stringMatching(/^2027-01-01T00:1[5-9]:/),
      returnUrl: 'https://shop.example/account',
    })
    expect((await ask(scenario)).body.returnUrl).toBeNull()
    expect((await ask(scenario, { body: { returnUrl: null } })).body.returnUrl).toBeNull()
  })

  test.each([
    ['http://shop.example/', 'Must be an absolute https URL without credentials.'],
    ['https://ada@shop.example/', 'Must be an absolute https URL without credentials.'],
    ['javascript:alert(1)', 'Must be an absolute https URL without credentials.'],
    [`https://shop.example/${'a'.repeat(2048)}`, 'Must have at most 2048 bytes.'],
  ])('the return URL %.30s of a portal session is refused', async (returnUrl, problem) => {
    const scenario = await subscriptionScenario()
    const reply = await ask(scenario, { body: { returnUrl } })
    expect([reply.status, reply.body.errors]).toEqual([422, { returnUrl: [problem] }])
    expect(await sessionsOf(scenario)).toBe(0)
  })

  test('a portal session is refused for customers without an invoice and customers of other tenants', async () => {
    const scenario = await subscriptionScenario()
    const other = await aShop()
    const { id: customerId } = (
      await send('POST /v1/customers', { key: scenario.key, body: { email: 'new@example.com' } })
    ).body
    for (const asked of [
      { key: scenario.key, customerId },
      { key: other.testKey, customerId: scenario.customerId },
      { key: scenario.shop.liveKey, customerId: scenario.customerId },
    ])
      expect((await ask(asked)).status).toBe(404)
  })

  test('a customer can get a portal session even if the only invoice was refunded', async () => {
    const scenario = await subscriptionScenario()
    const [order] = (await send('GET /v1/orders', { key: scenario.key })).body.data
    const items = order.lines.map(({ id, subtotal }: { id: string; subtotal: object }) => ({
      itemId: id,
      amount: subtotal,
    }))
    expect((await send(`POST /v1/orders/${order.id}/refunds`, { key: scenario.key, body: { items } })).status).toBe(201)
    await pass(scenario, 'PT1H')
    expect((await ask(scenario)).status).toBe(201)
  })

  test('repeating a request for a portal session with its idempotency key returns the same session', async () => {
    const scenario = await subscriptionScenario()
    const headers = { 'Idempotency-Key': 'portal-1' }
    const [first, second] = [await ask(scenario, { headers }), await ask(scenario, { headers })]
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.headers.get('cache-control')).toBe('no-store, private')
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(await sessionsOf(scenario)).toBe(1)
    const token = tokenOf(first.body.url)
    const [{ dump }] = await db().$queryRaw<[{ dump: string }]>`
      SELECT coalesce(string_agg(t::text, ' '), '') AS dump FROM (
        SELECT to_jsonb(s)::text FROM portal_sessions s UNION ALL SELECT to_jsonb(e)::text FROM events e
        UNION ALL SELECT to_jsonb(k)::text FROM idempotency_keys k) AS t`
    expect(dump).toContain(idOf(token))
    expect(dump).not.toContain(token)
    expect(dump).not.toContain(token.slice(22))
  })
})

describe('a link to the portal', () => {
  test('loading the page of a portal link does not use up the link, and concurrent uses open one session', async () => {
    const token = await aLink(await subscriptionScenario())
    const looks = Array.from({ length: 1000 }, () => loadPortalLink(token, germanVisitor).then(({ status }) => status))
    expect(new Set(await Promise.all(looks))).toEqual(new Set([200]))
    expect((await portalLinkPage(token, germanVisitor))?.state).toBe('usable')

    const hold = { sql: 'SELECT 1 FROM portal_sessions WHERE id = $1 FOR UPDATE', values: [idOf(token)] }
    const ends = await raceBehind(
      hold,
      Array.from({ length: 100 }, () => () => submitPortalLink(token, open)),
      3,
    )
    const opened = ends.flatMap((end) => (end.status === 'fulfilled' && end.value?.cookie ? [end.value] : []))
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(opened).toHaveLength(1)
    expect(opened[0]?.redirectTo).toBe('/portal')
    expect((await openSessionOf(cookiesOf(opened[0] ?? null)))?.session.id).toBe(idOf(token))
    expect((await portalLinkPage(token, germanVisitor))?.state).toBe('used')
    expect((await loadPortalLink(token, germanVisitor)).status).toBe(410)
  })

  test('a portal link expires after 15 minutes on the storefront’s clock', async () => {
    const scenario = await subscriptionScenario()
    const token = await aLink(scenario)
    await pass(scenario, 'PT15M')
    expect([
      (await loadPortalLink(token, germanVisitor)).status,
      (await portalLinkPage(token, germanVisitor))?.state,
    ]).toEqual([410, 'expired'])
    expect(await submitPortalLink(token, open)).toEqual({ redirectTo: portalLinkPath(idOf(token)) })
  })

  test('a portal link is unknown if one of its characters is changed, or if its id is signed for a billing update link', async () => {
    const token = await aLink(await subscriptionScenario())
    const others = [`${token}x`, token.slice(1), token.toLowerCase(), linkToken('billing', idOf(token)), '']
    for (const each of others.filter((other) => other !== token)) {
      expect([await portalLinkPage(each, germanVisitor), await submitPortalLink(each, open)]).toEqual([null, null])
      expect((await loadPortalLink(each, germanVisitor)).status).toBe(404)
    }
  })

  test('the page of a used portal link can send a new link, and shows only the masked address', async () => {
    const scenario = await subscriptionScenario({ buyer: { email: 'ada@example.com' } })
    const token = await aLink(scenario)
    await submitPortalLink(token, open)
    const page = await portalLinkPage(token, germanVisitor)
    expect(page?.maskedEmail).toBe('a***@e***.com')
    expect(JSON.stringify(page)).not.toContain('ada@')
    const next = await submitPortalLink(token, new URLSearchParams({ intent: 'email' }))
    expect(next).toEqual({ redirectTo: `${portalSignInPath(scenario.shop.scope)}?sent` })
    await runDueTasks()
    expect(await db().emails.count({ where: { kind: 'portal_link', storefront_id: scenario.shop.storefrontId } })).toBe(
      1,
    )
  })
})

describe('a browser session of the portal', () => {
  async function aSession() {
    const scenario = await subscriptionScenario()
    const token = await aLink(scenario)
    return { scenario, id: idOf(token), cookies: cookiesOf(await submitPortalLink(token, open)) }
  }
  const move = (id: string, column: 'last_used_at' | 'redeemed_at', by: string) =>
    db().$executeRawUnsafe(`UPDATE portal_sessions SET ${column} = ${column} - $2::interval WHERE id = $1`, id, by)

  test('a portal session needs the secret in the cookie, and the database stores only a hash', async () => {
    const { cookies, id } = await aSession()
    const secret = cookies?.split('=')[1] ?? ''
    expect(cookies).toMatch(new RegExp(`^${portalCookie}=[\\w-]{43}$`))
    const [{ row }] = await db().$queryRaw<
      [{ row: string }]
    >`SELECT to_jsonb(s)::text AS row FROM portal_sessions s WHERE id = ${id}`
    expect(row).toContain(id)
    expect(row).not.toContain(secret)
    for (const wrong of [null, '', `${portalCookie}=`, `${portalCookie}=${id}`, `${cookies}x`, `x${cookies}`])
      expect(await openSessionOf(wrong)).toBeNull()
  })

  test('a portal session ends after an hour without use, and after twelve hours at the latest', async () => {
    const { cookies, id } = await aSession()
    await move(id, 'last_used_at', '59 minutes')
    expect(await openSessionOf(cookies)).not.toBeNull()
    await move(id, 'last_used_at', '59 minutes')
    expect(await openSessionOf(cookies)).not.toBeNull()
    await move(id, 'redeemed_at', '12 hours')
    expect(await openSessionOf(cookies)).toBeNull()
    await move(id, 'redeemed_at', '-12 hours')
    await move(id, 'last_used_at', '1 hour')
    expect(await openSessionOf(cookies)).toBeNull()
  })

  test('after a customer signs out, the session has ended and the portal page links to the sign-in page', async () => {
    const { cookies, scenario } = await aSession()
    const next = await signOut(cookies)
    expect(next.redirectTo).toBe(`${portalSignInPath(scenario.shop.scope)}?signed-out`)
    expect(await signOut(null)).toEqual({ redirectTo: '/portal' })
    expect(next.cookie).toContain('Max-Age=0')
    expect(await openSessionOf(cookies)).toBeNull()
    const ended = await portalEnded(visitorWith(cookies))
    expect(ended?.signInUrl).toBe(portalSignInPath(scenario.shop.scope))
    expect(await portalEnded(visitorWith(null))).toBeNull()
  })

  test('a portal session is deleted a month after its end', async () => {
    const { id, scenario } = await aSession()
    await housekeeping()
    expect(await sessionsOf(scenario)).toBe(1)
    await pass(scenario, 'P31D')
    await housekeeping()
    expect(await sessionsOf(scenario)).toBe(1)
    await move(id, 'last_used_at', '31 days')
    await housekeeping()
    expect(await sessionsOf(scenario)).toBe(0)
  })
})

describe('a request for a portal link', () => {
  const sent = (email: string) => new URLSearchParams({ email })
  const emails = ({ shop }: Pick<Scenario, 'shop'>) =>
    db().emails.findMany({ where: { kind: 'portal_link', storefront_id: shop.storefrontId } })

  test('the sign-in page gives every address the same response, and sends a customer at most three emails in 15 minutes', async () => {
    const scenario = await subscriptionScenario({ buyer: { email: 'ada@example.com' } })
    const token = tokenOf(portalSignInPath(scenario.shop.scope))
    const answers = []
    for (const email of ['ada@example.com', 'eve@example.com', ' ADA@example.com '])
      answers.push(await submitPortalSignIn(token, sent(email)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const [{ data }] = await db().$queryRaw<[{ data: string }]>`
      SELECT string_agg(data::text, ' ') AS data FROM tasks WHERE name = 'portal.email_link' AND storefront_id = ${scenario.shop.storefrontId}`
    expect(data).not.toContain('example')
    await runDueTasks()
    expect(await emails(scenario)).toHaveLength(2)

    for (let more = 0; more < 3; more++) await submitPortalSignIn(token, sent('ada@example.com'))
    await runDueTasks()
    expect(await emails(scenario)).toHaveLength(3)
    await pass(scenario, 'PT15M')
    await submitPortalSignIn(token, sent('ada@example.com'))
    await runDueTasks()
    expect(await emails(scenario)).toHaveLength(4)
  })

  test('portal sessions that a merchant creates and links that a member emails do not count toward the limit of requested links', async () => {
    const scenario = await subscriptionScenario({ buyer: { email: 'ada@example.com' } })
    const { scope } = scenario.shop
    const token = tokenOf(portalSignInPath(scope))
    for (let made = 0; made < 3; made++) {
      await aLink(scenario)
      expect(await emailLink(scope, { link: 'portal', id: scenario.customerId })).toBe('sent')
    }
    for (let requested = 0; requested < 4; requested++) await submitPortalSignIn(token, sent('ada@example.com'))
    await runDueTasks()
    expect(await emails(scenario)).toHaveLength(3)
    expect(await aLink(scenario)).toBeTruthy()
  })

  test('emails with a link that a merchant sends again do not count toward the limit of requested links', async () => {
    const scenario = await subscriptionScenario({ buyer: { email: 'ada@example.com' } })
    const token = tokenOf(portalSignInPath(scenario.shop.scope))
    await submitPortalSignIn(token, sent('ada@example.com'))
    await runDueTasks()
    const [first] = await emails(scenario)
    for (let resent = 0; resent < 3; resent++) await resendEmail(first?.id ?? '')
    await submitPortalSignIn(token, sent('ada@example.com'))
    await runDueTasks()
    expect((await emails(scenario)).filter(({ original_id }) => original_id === null)).toHaveLength(2)
  })

  test('a link that was requested for a cancellation leads to the subscriptions, and so does a resent link', async () => {
    const scenario = await subscriptionScenario({ buyer: { email: 'ada@example.com' } })
    const signIn = portalSignInPath(scenario.shop.scope)
    const cancel = (of: Record<string, string>) => new URLSearchParams({ ...of, cancel: 'yes' })
    const lastUrl = async () => {
      const links = (await listEmails(scenario.shop.storefrontId)).filter(({ kind }) => kind === 'portal_link')
      return /http\S+\/portal\/link\/\S+/.exec(links[0]?.text ?? '')?.[0] ?? ''
    }
    const tokenIn = (url: string) => tokenOf(url.replace(/\?cancel$/, ''))
    const refused = await submitPortalSignIn(tokenOf(signIn), cancel({ email: 'ada' }))
    expect(refused?.redirectTo).toMatch(/\?cancel&invalid&form=\w+#email$/)
    const asked = await submitPortalSignIn(tokenOf(signIn), cancel({ email: 'ada@example.com' }))
    expect(asked).toEqual({ redirectTo: `${signIn}?cancel&sent` })
    await runDueTasks()
    const url = await lastUrl()
    expect(url).toMatch(/\?cancel$/)
    const opened = await submitPortalLink(tokenIn(url), cancel({ intent: 'open' }))
    expect([opened?.redirectTo, cookiesOf(opened)]).toEqual(['/portal#subscriptions', expect.any(String)])
    const again = await submitPortalLink(tokenIn(url), cancel({ intent: 'open' }))
    expect(again).toEqual({ redirectTo: `${portalLinkPath(idOf(tokenIn(url)))}?cancel` })
    const resent = await submitPortalLink(tokenIn(url), cancel({ intent: 'email' }))
    expect(resent).toEqual({ redirectTo: `${signIn}?cancel&sent` })
    await runDueTasks()
    expect(await lastUrl()).toMatch(/\?cancel$/)
    expect(await lastUrl()).not.toBe(url)
  })

  test('a request for a portal link without an email address is refused', async () => {
    const { storefrontId, scope } = await aShop()
    const token = tokenOf(portalSignInPath(scope))
    for (const email of ['', 'ada', 'ada@example', 'a@b.c\n'.repeat(100)]) {
      const { redirectTo, cookie } = (await submitPortalSignIn(token, sent(email))) ?? {}
      const [, form = ''] = /\?invalid&form=(\w+)#email$/.exec(redirectTo ?? '') ?? []
      const visitor = { ...germanVisitor, header: (name: string) => (name === 'cookie' ? (cookie ?? null) : null) }
      expect((await portalSignInPage(token, form, visitor))?.typed).toBe(email.slice(0, 300))
    }
    const where = { name: 'portal.email_link', storefront_id: storefrontId }
    expect(await db().tasks.count({ where })).toBe(0)
  })

  test('a request for a portal link does not find customers of another storefront or mode', async () => {
    const scenario = await subscriptionScenario({ buyer: { email: 'ada@example.com' } })
    const elsewhere = [(await aShop()).scope, { ...scenario.shop.scope, testmode: false }]
    for (const tenant of elsewhere) await submitPortalSignIn(tokenOf(portalSignInPath(tenant)), sent('ada@example.com'))
    await runDueTasks()
    expect(await emails(scenario)).toEqual([])
  })

  test('every storefront and mode has a sign-in page, and a sign-in page with an unknown token is not found', async () => {
    const { scope, storefrontId } = await aShop()
    const token = tokenOf(portalSignInPath(scope))
    expect((await portalSignInPage(token, null, germanVisitor))?.testmode).toBe(true)
    const live = tokenOf(portalSignInPath({ storefrontId, testmode: false }))
    expect((await portalSignInPage(live, null, germanVisitor))?.testmode).toBe(false)
    const forged = token.slice(0, -1) + (token.endsWith('-') ? 'A' : '-')
    expect([
      (await loadPortalSignIn(token, germanVisitor, new URLSearchParams())).status,
      (await loadPortalSignIn(forged, germanVisitor, new URLSearchParams())).status,
    ]).toEqual([200, 404])
    expect(await submitPortalSignIn('x', sent('ada@example.com'))).toBeNull()
  })

  test('a customer in a free trial can request a portal link although the customer has no invoice', async () => {
    const scenario = await subscriptionScenario({ item: { trialDays: 14 }, buyer: { email: 'ada@example.com' } })
    expect((await ask(scenario)).status).toBe(404)
    await submitPortalSignIn(tokenOf(portalSignInPath(scenario.shop.scope)), sent('ada@example.com'))
    await runDueTasks()
    expect(await emails(scenario)).toHaveLength(1)
  })
})
