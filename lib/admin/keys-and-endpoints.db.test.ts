import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { db } from '../platform/db/db.ts'
import { tasks } from '../server/jobs.ts'
import { at, form, key, type Next, newestEntry } from '../testing/admin-forms.ts'
import { allRows } from '../testing/all-rows.ts'
import { send } from '../testing/api.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { anOperator } from '../testing/operator.ts'
import { answered, aReceiver, isSigned } from '../testing/receiver.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import { drainTasks, get } from '../testing/subscription-scenario.ts'
import { advanceByDuration } from '../workflows/test-helpers/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeAll(async () => {
  const operator = await anOperator('trade@example.com')
  cookies = operator.cookies
  receiver = await aReceiver()
})

afterAll(() => receiver.close())

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

/** The browser state after a form: the query and fragment of the redirect, and the cookies. */
const followed = (next: Next, before = cookies) => {
  const url = new URL(next?.redirectTo ?? '', 'http://localhost')
  const left = next?.cookie?.split(';')[0]
  const { pathname: path, searchParams: query, hash } = url
  return { path, query, hash, cookies: left ? `${before}; ${left}` : before }
}

describe('an API key in the admin area', () => {
  const listed = async (shop: Shop) => (await admin.keysPage(at(shop), null, cookies))?.keys ?? []
  const answers = async (apiKey: string) => (await send('GET /v1/customers', { key: apiKey })).status

  test('a new API key is shown once, only to the person who issued it', async () => {
    const shop = await aShop()
    const next = await admin.submitKeys(at(shop), form({ intent: 'issue', scope: 'full', expiresIn: '30d' }), cookies)
    const back = followed(next)
    const id = back.query.get('form')
    const issued = (await admin.keysPage(at(shop), id, back.cookies))?.issued ?? ''
    expect(issued).toMatch(/^test_\w{40}$/)
    expect(await answers(issued)).toBe(200)
    expect(JSON.stringify(next)).not.toContain(issued)
    expect(next?.cookie).toMatch(/; Secure; HttpOnly; SameSite=Strict; Max-Age=120$/)
    expect((await admin.keysPage(at(shop), null, back.cookies))?.issued).toBeNull()
    const other = await anOperator('another@example.com')
    expect((await admin.keysPage(at(shop), id, followed(next, other.cookies).cookies))?.issued).toBeNull()
    expect((await listed(shop))[0]).toMatchObject({ hint: issued.slice(0, 8), isOver: false })
    expect(JSON.stringify(await allRows())).not.toContain(issued)
  })

  test('submitting one form for a new API key twice issues one key', async () => {
    const shop = await aShop()
    const sent = { intent: 'issue', scope: 'full', expiresIn: '', key: key() }
    await admin.submitKeys(at(shop), form(sent), cookies)
    const again = followed(await admin.submitKeys(at(shop), form(sent), cookies))
    expect(again.query.get('form')).toBeNull()
    expect(await listed(shop)).toHaveLength(2)
  })

  test.each([
    ['issue', 2],
    ['rotate', 2],
    ['revoke', 1],
  ])(
    'submitting an API key form with the action "%s" again has no effect, even after the lease of its idempotency key has expired',
    async (intent, keys) => {
      const shop = await aShop()
      const [first] = await listed(shop)
      const sent = form({ intent, id: first?.id ?? '', scope: 'full', expiresIn: '' })
      const done = followed(await admin.submitKeys(at(shop), sent, cookies)).query.get('done')
      await db().$executeRaw`UPDATE idempotency_keys SET leased_until = leased_until - interval '1 minute'`
      const again = followed(await admin.submitKeys(at(shop), sent, cookies))
      expect(again.query.get('done')).toBe(done)
      expect(again.query.get('form')).toBeNull()
      expect(await listed(shop)).toHaveLength(keys)
    },
  )

  test('while a storefront is on hold, API keys can be revoked but not issued or replaced', async () => {
    const shop = await aShop()
    const [first] = await listed(shop)
    await db().storefronts.update({ where: { id: shop.storefrontId }, data: { held_at: new Date() } })
    const act = (intent: string) =>
      admin.submitKeys(at(shop), form({ intent, id: first?.id ?? '', scope: 'full', expiresIn: '' }), cookies)
    for (const intent of ['issue', 'rotate']) await expect(act(intent)).rejects.toMatchObject({ code: '55P03' })
    expect(await listed(shop)).toMatchObject([{ expiresAt: null }])
    expect(await answers(shop.testKey)).toBe(200)
    expect(followed(await act('revoke')).query.get('done')).toBe('revoked')
  })

  test('an API key can be revoked only in its own storefront and mode, and a replaced key stays valid until it expires', async () => {
    const [shop, other] = [await aShop(), await aShop()]
    const [first] = await listed(shop)
    const act = async (fields: Record<string, string>, where = at(shop)) =>
      followed(await admin.submitKeys(where, form(fields), cookies))
    const ofOthers = { intent: 'revoke', id: first?.id ?? '' }
    for (const where of [at(other), at(shop, 'live')])
      expect((await act(ofOthers, where)).query.get('failed')).toBe('not_found')
    expect(await answers(shop.testKey)).toBe(200)

    const rotated = await act({ intent: 'rotate', id: first?.id ?? '' })
    expect(rotated.query.get('done')).toBe('issued')
    expect(await newestEntry()).toMatchObject({ action: 'key.rotate', subject: first?.id })
    const [newest, old] = await listed(shop)
    expect(old).toMatchObject({ id: first?.id, isOver: false, expiresAt: expect.any(String) })
    expect((await act({ intent: 'revoke', id: newest?.id ?? '' })).query.get('done')).toBe('revoked')
    expect((await act({ intent: 'revoke', id: newest?.id ?? '' })).query.get('failed')).toBe('key_revoked')
    expect(await listed(shop)).toMatchObject([{ isOver: true }, { isOver: false }])
  })

  test.each(['soon', '-1d', '0s'])('an API key is not issued with the duration %j', async (expiresIn) => {
    const shop = await aShop()
    const back = followed(
      await admin.submitKeys(at(shop), form({ intent: 'issue', scope: 'full', expiresIn }), cookies),
    )
    expect(await admin.keysPage(at(shop), back.query.get('form'), back.cookies)).toMatchObject({
      expiresIn,
      problems: { expiresIn: expect.stringContaining('duration') },
    })
    expect(await listed(shop)).toHaveLength(1)
  })
})

describe('a webhook endpoint', () => {
  test('a webhook endpoint is registered with the proposed secret, changed, and deleted', async () => {
    const shop = await aShop()
    const page = await admin.endpointsPage(at(shop), null, cookies)
    const secret = page?.form?.suggestedSecret ?? ''
    expect(secret).toMatch(/^whsec_\w{32}$/)
    const url = `${receiver.url}/admin`
    const fields = { url, secret, 'event.order.paid': 'yes', 'event.order.payment_failed': 'yes' }
    expect(followed(await admin.submitNewEndpoint(at(shop), form(fields), cookies)).query.get('done')).toBe('created')
    const ping = receiver.requests.at(-1)
    expect(ping && isSigned(ping, secret)).toBe(true)
    const [endpoint] = (await get(shop.testKey, '/v1/webhook-endpoints')).data
    expect(endpoint).toMatchObject({ url, enabledEvents: ['order.paid', 'order.payment_failed'] })
    expect(await newestEntry()).toMatchObject({
      action: 'endpoint.create',
      after: { id: endpoint.id, origin: new URL(url).origin },
    })
    expect((await newestEntry())?.after).not.toHaveProperty('url')
    expect(JSON.stringify(await newestEntry(), (_, value) => (typeof value === 'bigint' ? 0 : value))).not.toContain(
      secret,
    )

    const change = { intent: 'update', url, secret: '', 'event.order.paid': 'yes' }
    expect(followed(await admin.submitEndpoint(at(shop), endpoint.id, form(change), cookies)).query.get('done')).toBe(
      'updated',
    )
    const { id: productId } = await factories.aProduct(shop.testKey)
    await factories.pay(shop.testKey, await factories.aCheckout(shop.testKey, productId))
    await drainTasks()
    const paid = receiver.events().at(-1)
    expect(paid?.body.eventName).toBe('order.paid')
    // An empty secret field keeps the current secret.
    expect(paid && isSigned(paid, secret)).toBe(true)

    const gone = await admin.submitEndpoint(at(shop), endpoint.id, form({ intent: 'delete' }), cookies)
    expect(followed(gone).query.get('done')).toBe('deleted')
    expect((await admin.endpointsPage(at(shop), null, cookies))?.endpoints).toEqual([])
  })

  test('a refused form for a webhook endpoint shows the same proposed secret again', async () => {
    const shop = await aShop()
    const offered = async (typed: Record<string, string>) => {
      const refused = followed(await admin.submitNewEndpoint(at(shop), form({ ...typed, url: 'none' }), cookies))
      expect(refused.path + refused.query).not.toContain('whsec_')
      const again = (await admin.endpointsPage(at(shop), refused.query.get('form'), refused.cookies))?.form
      expect(again?.problems).toHaveProperty('url')
      return again
    }
    const first = (await admin.endpointsPage(at(shop), null, cookies))?.form
    if (!first) throw new Error('No form')
    const { suggestedSecret: secret, sealedSecret } = first
    expect(Buffer.from(sealedSecret, 'base64url').toString('latin1')).not.toContain(secret)
    const second = await offered({ secret, sealedSecret })
    expect(second?.suggestedSecret).toBe(secret)
    expect((await offered({ secret, sealedSecret: second?.sealedSecret ?? '' }))?.suggestedSecret).toBe(secret)

    const other = (await admin.endpointsPage(at(await aShop()), null, cookies))?.form?.sealedSecret ?? ''
    const changed = (sealedSecret[0] === 'A' ? 'B' : 'A') + sealedSecret.slice(1)
    const cut = sealedSecret.slice(0, 30)
    for (const tampered of [other, changed, `${sealedSecret.slice(0, -4)}AAAA`, cut, 'x', '']) {
      const proposed = (await offered({ secret, sealedSecret: tampered }))?.suggestedSecret
      expect(proposed).toMatch(/^whsec_\w{32}$/)
      expect(proposed).not.toBe(secret)
    }
  })

  test('a webhook endpoint is refused with a reason if its URL responds with 500, and the refused form omits the entered secret', async () => {
    const shop = await aShop()
    const broken = await aReceiver(answered(500))
    const fields = { url: broken.url, secret: 'whsec_0123456789', 'event.order.paid': 'yes' }
    const back = followed(await admin.submitNewEndpoint(at(shop), form(fields), cookies))
    const page = await admin.endpointsPage(at(shop), back.query.get('form'), back.cookies)
    expect(page?.form).toMatchObject({
      url: broken.url,
      enabledEvents: ['order.paid'],
      problems: { url: expect.stringContaining('Its response was 500') },
    })
    expect(JSON.stringify(page)).not.toContain('whsec_0123456789')
    expect(page?.endpoints).toEqual([])
    await broken.close()
  })

  test('submitting one form several times retries each failed delivery of a webhook endpoint once', async () => {
    const shop = await aShop()
    const down = await aReceiver()
    const { id } = await factories.anEndpoint(shop.testKey, down.url)
    const { id: productId } = await factories.aProduct(shop.testKey)
    down.answer = answered(500)
    await factories.pay(shop.testKey, await factories.aCheckout(shop.testKey, productId))
    await advanceByDuration(shop.scope, { by: { days: 5 } }, tasks.embedded)
    const page = async (form: string | null = null, as = cookies) =>
      (await admin.endpointPage(at(shop), id, form, as))?.failed
    const shown = await page()
    const count = shown?.count ?? 0
    expect(count).toBeGreaterThan(0)
    expect(shown).toMatchObject({ most: 5_000, days: 30, problem: null })
    const submit = (since: string, formKey = key()) =>
      admin.submitEndpoint(at(shop), id, form({ intent: 'resend', since, key: formKey }), cookies)

    for (const since of ['', 'yesterday', '2020-01-01T00:00', '2999-01-01T00:00']) {
      const back = followed(await submit(since))
      expect(await page(back.query.get('form'), back.cookies)).toMatchObject({
        since,
        problem: 'Must be a date and a time of the last 30 days.',
        count,
      })
    }
    const formKey = key()
    down.answer = answered(200)
    const since = new Date(Date.parse(`${shown?.since}Z`) - 6 * 24 * 3600 * 1000).toISOString().slice(0, 16)
    const [one, other] = await Promise.all([submit(since, formKey), submit(since, formKey)])
    for (const next of [one, other, await submit(since, formKey)])
      expect(['resent', null]).toContain(followed(next).query.get('done'))
    expect(await newestEntry()).toMatchObject({
      action: 'endpoint.resend_failed',
      subject: id,
      after: { count, since },
    })
    const before = down.events().length
    await drainTasks()
    expect(down.events().length - before).toBe(count)
    expect((await page())?.count).toBe(0)
    expect(followed(await submit(since)).query.get('done')).toBe('noneFailed')
  })

  test('a form on the page of a webhook endpoint ends the previous secret early, with one audit entry', async () => {
    const shop = await aShop()
    const { id } = await factories.anEndpoint(shop.testKey, receiver.url)
    const page = async () => (await admin.endpointPage(at(shop), id, null, cookies))?.previousSecret
    expect(await page()).toBeNull()
    await send(`PATCH /v1/webhook-endpoints/${id}`, { key: shop.testKey, body: { secret: 'whsec_another_one' } })
    expect(await page()).toMatchObject({ until: expect.stringMatching(/Z$/) })
    const end = async () => admin.submitEndpoint(at(shop), id, form({ intent: 'endSecret' }), cookies)
    expect(followed(await end()).query.get('done')).toBe('secretEnded')
    expect(await newestEntry()).toMatchObject({ action: 'endpoint.end_previous_secret', subject: id })
    expect(await page()).toBeNull()
  })

  test('the page of webhook endpoints offers no form for a sixth endpoint', async () => {
    const shop = await aShop()
    for (const number of [1, 2, 3, 4, 5]) await factories.anEndpoint(shop.testKey, `${receiver.url}/${number}`)
    expect(await admin.endpointsPage(at(shop), null, cookies)).toMatchObject({ form: null, most: 5 })
    const sixth = { url: `${receiver.url}/6`, secret: 'whsec_0123456789' }
    const back = followed(await admin.submitNewEndpoint(at(shop), form(sixth), cookies))
    expect(back.query.get('form')).not.toBeNull()
    expect((await get(shop.testKey, '/v1/webhook-endpoints')).data).toHaveLength(5)
  })
})
