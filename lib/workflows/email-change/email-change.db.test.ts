import { afterAll, describe, expect, test } from 'vitest'
import { readEmail } from '../../modules/emails/operations.ts'
import { openSessionOf } from '../../modules/portal/browser.ts'
import { openEmailChangeToken } from '../../modules/portal/email-changes.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import { db } from '../../platform/db/db.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { allRows } from '../../testing/all-rows.ts'
import { send } from '../../testing/api.ts'
import { decisive, killedAt } from '../../testing/crash.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { portalCookies, portalVisitor } from '../../testing/portal.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { runDueTasks, tokenOf } from '../../testing/shop.ts'
import { pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { emailChangePage, emailPage, loadEmailChange } from './load-email-change.ts'
import { submitEmail, submitEmailChange } from './submit-email-change.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const from = 'ada@old.example'
const to = 'ada@new.example'
const aCustomer = () => subscriptionScenario({ buyer: { email: from } })
const typed = (email: string) => new URLSearchParams({ email })
const nobody = portalVisitor(null)
const confirm = (token: string, cookies: string | null = null) =>
  submitEmailChange(token, new URLSearchParams(), portalVisitor(cookies))

async function emailsOf({ shop }: Scenario, kind: 'email_change' | 'email_changed') {
  const rows = await db().emails.findMany({ where: { kind, storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })
  return Promise.all(rows.map(async ({ id }) => (await readEmail(shop.scope, id)) ?? { to: '', text: '', html: '' }))
}

async function aLink(scenario: Scenario, email = to, cookies: string | null = null) {
  const session = cookies ?? (await portalCookies(scenario))
  expect(await submitEmail(typed(email), session)).toEqual({ redirectTo: '/portal/email?done=emailSent' })
  await runDueTasks()
  const newest = (await emailsOf(scenario, 'email_change')).at(-1)
  expect(newest?.to).toBe(email)
  return { token: tokenOf(/http\S+\/portal\/email-change\/\S+/.exec(newest?.text ?? '')?.[0] ?? ''), cookies: session }
}

const addressOf = async ({ key, customerId }: Scenario) =>
  (await send(`GET /v1/customers/${customerId}`, { key })).body.email

describe("a customer's request for another email address", () => {
  test('a link to the new email address confirms the change of address, and the old address gets an email without a link', async () => {
    const scenario = await aCustomer()
    const { token, cookies } = await aLink(scenario, ' ADA@new.example'.trim().toLowerCase())
    expect((await emailPage(null, portalVisitor(cookies)))?.waiting).toMatchObject({ email: to })
    for (let looked = 0; looked < 3; looked++)
      expect([(await loadEmailChange(token, nobody)).status, (await emailChangePage(token, nobody))?.state]).toEqual([
        200,
        'usable',
      ])
    expect(await addressOf(scenario)).toBe(from)

    expect(await confirm(token)).toEqual({ redirectTo: `/portal/email-change/${token}` })
    expect(await addressOf(scenario)).toBe(to)
    expect(await emailChangePage(token, nobody)).toMatchObject({
      state: 'confirmed',
      maskedEmail: 'a***@n***.example',
      portalUrl: portalSignInPath(scenario.shop.scope),
    })
    const [notice, ...others] = await emailsOf(scenario, 'email_changed')
    expect([notice?.to, others]).toEqual([from, []])
    expect(notice?.text).toContain('a***@n***.example')
    expect(`${notice?.text}${notice?.html}`).not.toMatch(/https?:\/\//)
    expect(notice?.text).not.toContain(to)
  })

  test('a change of the email address leaves issued orders and invoices unchanged', async () => {
    const scenario = await aCustomer()
    const orders = async () => (await send('GET /v1/orders', { key: scenario.key })).body.data
    const before = await orders()
    const { token } = await aLink(scenario)
    await confirm(token)
    expect(await orders()).toEqual(before)
    expect(before[0].customerDetails.email).toBe(from)
  })

  test('a change of the email address ends all links and sessions of the customer except the confirming session', async () => {
    const scenario = await aCustomer()
    const other = await portalCookies(scenario)
    const { token, cookies } = await aLink(scenario)
    const { url } = (await send(`POST /v1/customers/${scenario.customerId}/portal-sessions`, { key: scenario.key }))
      .body
    await confirm(token, cookies)
    expect(await openSessionOf(other)).toBeNull()
    expect((await openSessionOf(cookies))?.session.customerId).toBe(scenario.customerId)
    const { ended_at } = await db().portal_sessions.findFirstOrThrow({
      where: { customer_id: scenario.customerId, redeemed_at: null },
    })
    expect([ended_at !== null, url.length > 0]).toEqual([true, true])
    expect((await emailChangePage(token, portalVisitor(cookies)))?.portalUrl).toBe('/portal')
    expect((await emailPage(null, portalVisitor(cookies)))?.email).toBe(to)
  })

  test.each([
    ['', 'invalid'],
    ['ada', 'invalid'],
    ['a@b.c\n'.repeat(100), 'invalid'],
    [` ${from.toUpperCase().replace('OLD.EXAMPLE', 'old.example')} `, 'same'],
  ])(
    'the new email address %.20s is refused with an error on its field, and the form keeps the entered text',
    async (email, problem) => {
      const scenario = await aCustomer()
      const cookies = await portalCookies(scenario)
      const before = await allRows()
      const next = await submitEmail(typed(email), cookies)
      const [path, form] = next?.redirectTo.split('?form=') ?? []
      expect(path).toBe('/portal/email')
      const visitor = portalVisitor(`${cookies}; ${next?.cookie?.split(';')[0]}`)
      expect(await emailPage(form ?? null, visitor)).toMatchObject({
        problem,
        typed: email.slice(0, 300),
        waiting: null,
      })
      expect(await allRows()).toEqual(before)
    },
  )

  test('a customer can request a new email address three times per hour', async () => {
    const scenario = await aCustomer()
    const cookies = await portalCookies(scenario)
    for (const name of ['one', 'two', 'three']) await aLink(scenario, `${name}@new.example`, cookies)
    expect((await submitEmail(typed('four@new.example'), cookies))?.redirectTo).toMatch(/^\/portal\/email\?form=/)
    await runDueTasks()
    expect(await emailsOf(scenario, 'email_change')).toHaveLength(3)
    await pass(scenario, 'PT1H')
    await aLink(scenario, 'four@new.example', await portalCookies(scenario))
  })

  test('an email address gets at most three links per hour, even from requests by several customers', async () => {
    const scenario = await aCustomer()
    const emailed = []
    for (const n of [1, 2, 3, 4]) {
      const { body } = await send('POST /v1/customers', { key: scenario.key, body: { email: `buyer${n}@old.example` } })
      await db()
        .$executeRaw`UPDATE orders SET customer_id = ${body.id} WHERE storefront_id = ${scenario.shop.storefrontId}`
      await submitEmail(typed(to), await portalCookies({ ...scenario, customerId: body.id }))
      await runDueTasks()
      emailed.push((await emailsOf(scenario, 'email_change')).length)
    }
    expect(emailed).toEqual([1, 2, 3, 3])
    await db()
      .$executeRaw`UPDATE orders SET customer_id = ${scenario.customerId} WHERE storefront_id = ${scenario.shop.storefrontId}`
  })

  test('a request for the email address of another customer gets the usual response, but causes no email', async () => {
    const scenario = await aCustomer()
    const cookies = await portalCookies(scenario)
    const other = (email: string) => send('POST /v1/customers', { key: scenario.key, body: { email } })
    await other('held@new.example')
    expect(await submitEmail(typed('held@new.example'), cookies)).toEqual({
      redirectTo: '/portal/email?done=emailSent',
    })
    await runDueTasks()
    expect(await emailsOf(scenario, 'email_change')).toEqual([])

    const { token } = await aLink(scenario, to, cookies)
    await other(to)
    expect([(await loadEmailChange(token, nobody)).status, (await emailChangePage(token, nobody))?.state]).toEqual([
      410,
      'taken',
    ])
    await confirm(token)
    expect(await addressOf(scenario)).toBe(from)
  })

  test('a new email address may belong to a customer of another storefront or mode', async () => {
    const [scenario, other] = [await aCustomer(), await aCustomer()]
    await send('POST /v1/customers', { key: other.key, body: { email: to } })
    await send('POST /v1/customers', { key: scenario.shop.liveKey, body: { email: to } })
    const { token } = await aLink(scenario)
    await confirm(token)
    expect([await addressOf(scenario), await addressOf(other)]).toEqual([to, from])
  })

  test('a request for a new email address is refused without an open session', async () => {
    for (const cookies of [null, '', '__Host-billhook-portal=x']) {
      expect(await submitEmail(typed(to), cookies)).toBeNull()
      expect(await emailPage(null, portalVisitor(cookies))).toBeNull()
    }
  })
})

describe('the link that confirms a new address', () => {
  test('the link that confirms a new email address can be used once, and a repeated request for the same address sends no second link', async () => {
    const scenario = await aCustomer()
    const { token, cookies } = await aLink(scenario)
    await submitEmail(typed(to), cookies)
    await runDueTasks()
    expect(await emailsOf(scenario, 'email_change')).toHaveLength(1)
    await confirm(token)
    const before = await allRows()
    await confirm(token)
    expect(await allRows()).toEqual(before)
    expect(await emailsOf(scenario, 'email_changed')).toHaveLength(1)
  })

  test('the link that confirms a new email address expires after 30 minutes, after a newer request, or after the merchant changes the address', async () => {
    const scenario = await aCustomer()
    const { token: first, cookies } = await aLink(scenario, 'one@new.example')
    const { token: second } = await aLink(scenario, 'two@new.example', cookies)
    expect([(await loadEmailChange(first, nobody)).status, (await loadEmailChange(second, nobody)).status]).toEqual([
      410, 200,
    ])
    const body = { email: 'ada@merchant.example' }
    await send(`PATCH /v1/customers/${scenario.customerId}`, { key: scenario.key, body })
    for (const token of [first, second]) {
      await confirm(token)
      expect((await emailChangePage(token, nobody))?.state).toBe('over')
    }
    const { token: third } = await aLink(scenario, 'three@new.example', cookies)
    await pass(scenario, 'PT30M')
    await confirm(third)
    expect([(await loadEmailChange(third, nobody)).status, await addressOf(scenario)]).toEqual([410, body.email])
  })

  test('if a link and the merchant change an email address concurrently, one address is kept and at most one notice is sent', async () => {
    const scenario = await aCustomer()
    const { token, cookies } = await aLink(scenario)
    const patch = { key: scenario.key, body: { email: 'ada@merchant.example' } }
    const racers = [
      ...[1, 2, 3, 4].map(() => () => confirm(token) as Promise<unknown>),
      () => submitEmail(typed('two@new.example'), cookies),
      () => send(`PATCH /v1/customers/${scenario.customerId}`, patch),
    ]
    const ends = await raceBehind(lockOn('customers', scenario.customerId), racers, 3)
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect([to, 'ada@merchant.example']).toContain(await addressOf(scenario))
    expect((await emailsOf(scenario, 'email_changed')).length).toBeLessThan(2)
  })

  test('if a link and the merchant give two customers the same email address concurrently, one customer gets the address', async () => {
    const scenario = await aCustomer()
    const { token } = await aLink(scenario)
    const { body: rival } = await send('POST /v1/customers', { key: scenario.key, body: { email: 'eve@old.example' } })
    const patch = () => send(`PATCH /v1/customers/${rival.id}`, { key: scenario.key, body: { email: to } })
    const ends = await raceBehind(
      {
        sql: 'SELECT 1 FROM customers WHERE id = ANY($1) FOR UPDATE',
        values: [[scenario.customerId, rival.id]],
      },
      [() => confirm(token) as Promise<unknown>, patch],
      2,
    )
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true)
    const addresses = [await addressOf(scenario), await addressOf({ ...scenario, customerId: rival.id })]
    expect(addresses.filter((each) => each === to)).toHaveLength(1)
  })

  test.each(['before', 'after'] as const)(
    'an email address is changed exactly once even if the process is killed %s the commit',
    async (moment) => {
      const scenario = await aCustomer()
      const { token } = await aLink(scenario)
      expect(await killedAt(1, moment, () => confirm(token), decisive())).toBe(true)
      await confirm(token)
      expect(await addressOf(scenario)).toBe(to)
      expect(await emailsOf(scenario, 'email_changed')).toHaveLength(1)
    },
  )

  test('the database contains neither the confirmation link nor the new email address in clear text', async () => {
    const scenario = await aCustomer()
    const { token } = await aLink(scenario)
    const id = openEmailChangeToken(token) ?? ''
    const [{ dump }] = await db().$queryRaw<[{ dump: string }]>`
      SELECT coalesce(string_agg(t::text, ' '), '') AS dump FROM (
        SELECT to_jsonb(c)::text FROM email_changes c UNION ALL SELECT to_jsonb(t)::text FROM tasks t
        UNION ALL SELECT to_jsonb(e)::text FROM emails e) AS t`
    expect(dump).toContain(id)
    for (const secret of [token, token.slice(22), to]) expect(dump).not.toContain(secret)
  })

  test('the link that confirms a new email address is unknown if any of its characters is changed', async () => {
    const { token } = await aLink(await aCustomer())
    for (const each of [`${token}x`, token.slice(1), `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, ''])
      expect([
        await emailChangePage(each, nobody),
        await confirm(each),
        (await loadEmailChange(each, nobody)).status,
      ]).toEqual([...[null, null, 404]])
  })

  test('the link that confirms a new email address is deleted a month after its expiry', async () => {
    const scenario = await aCustomer()
    await aLink(scenario)
    const count = () => db().email_changes.count({ where: { storefront_id: scenario.shop.storefrontId } })
    await pass(scenario, 'P30D')
    await housekeeping()
    expect(await count()).toBe(1)
    await pass(scenario, 'PT31M')
    await housekeeping()
    expect(await count()).toBe(0)
  })
})
