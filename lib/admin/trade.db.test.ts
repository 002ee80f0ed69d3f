import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, verifyAudit } from '../modules/audit/operations.ts'
import { closeFigures } from '../modules/figures/operations.ts'
import { type Role, roles } from '../modules/operators/rules/access.ts'
import { createPayout } from '../modules/payouts/operations.ts'
import { db } from '../platform/db/db.ts'
import { tasks } from '../server/jobs.ts'
import { allRows } from '../testing/all-rows.ts'
import { send } from '../testing/api.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { textOfPdf } from '../testing/pdf-text.ts'
import { answered, aReceiver, isSigned } from '../testing/receiver.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import {
  drainTasks,
  get,
  ordersOf,
  pass,
  subscriptionOf,
  subscriptionScenario,
} from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import { suspend } from '../workflows/storefronts/operations.ts'
import { advanceByDuration } from '../workflows/test-helpers/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
let codes: string[] = []
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeAll(async () => {
  const operator = await anOperator('trade@example.com')
  cookies = operator.cookies
  codes = [...operator.recoveryCodes]
  receiver = await aReceiver()
})
afterAll(() => receiver.close())
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const at = ({ storefrontId }: Shop, mode = 'test') => ({ mode, storefrontId })
const key = () => crypto.randomUUID()
const form = (fields: Record<string, string>) => new URLSearchParams({ key: key(), ...fields })
const newestEntry = async () => (await auditLog(null, 1))[0]

type Next = { readonly redirectTo: string; readonly cookie?: string } | null

/** The browser state after a form: the query and fragment of the redirect, and the cookies. */
const followed = (next: Next, before = cookies) => {
  const url = new URL(next?.redirectTo ?? '', 'http://localhost')
  const left = next?.cookie?.split(';')[0]
  const { pathname: path, searchParams: query, hash } = url
  return { path, query, hash, cookies: left ? `${before}; ${left}` : before }
}

describe('a plan or a product', () => {
  const plan = {
    kind: 'subscription_plan',
    name: 'Team',
    description: 'For a team.\r\nOf any size.',
    'basePrice.value': '49,90',
    productType: 'saas',
    interval: 'month',
    intervalCount: '3',
    taxBehavior: 'inclusive',
  }

  test.each([
    ['test', 'active'],
    ['live', 'pending'],
  ])('in %s mode, the admin area creates plans and products with the status %s', async (mode, status) => {
    const shop = await aShop()
    const next = await admin.submitNewCatalogItem(at(shop, mode), form(plan), cookies)
    expect(followed(next).query.get('done')).toBe('created')
    const [made] = (await get(mode === 'test' ? shop.testKey : shop.liveKey, '/v1/subscription-plans')).data
    expect(made).toMatchObject({
      name: 'Team',
      description: 'For a team.\nOf any size.',
      basePrice: { value: '49.90', currency: 'EUR' },
      interval: 'month',
      intervalCount: 3,
      taxBehavior: 'inclusive',
      status,
    })
    expect(await newestEntry()).toMatchObject({ action: 'catalog.create', after: { id: made.id, name: 'Team' } })
    expect((await admin.catalogPage(at(shop, mode), {}, cookies))?.list.rows).toMatchObject([{ id: made.id }])
  })

  test('the form of an invalid plan or product shows the typed values and the problem of each field', async () => {
    const shop = await aShop()
    const before = await allRows()
    const typed = { ...plan, name: 'ab', 'basePrice.value': 'much', intervalCount: '99' }
    const back = followed(await admin.submitNewCatalogItem(at(shop), form(typed), cookies))
    expect([back.path, back.hash]).toEqual([expect.stringMatching(/\/catalog\/new$/), '#problems'])
    const [kind, id] = [back.query.get('kind'), back.query.get('form')]
    expect(await admin.newCatalogItemPage(at(shop), kind, id, back.cookies)).toMatchObject({
      kind: 'subscription_plan',
      values: { name: 'ab', 'basePrice.value': 'much', intervalCount: '99' },
      problems: { name: expect.stringContaining('3'), 'basePrice.value': expect.stringContaining('an amount') },
    })
    // The typed values are shown again only if both the form id and the form cookie match.
    expect(await admin.newCatalogItemPage(at(shop), kind, 'other', back.cookies)).toMatchObject({ problems: {} })
    expect(await admin.newCatalogItemPage(at(shop), kind, id, `${cookies}; __Host-billhook-form=x`)).toMatchObject({
      values: { name: '' },
      problems: {},
    })
    const { idempotency_keys: _, operator_sessions: __, ...unchanged } = before
    expect(await allRows()).toMatchObject(unchanged)
  })

  test('the form of a refused plan or product restores the typed values that fit into a cookie', async () => {
    const shop = await aShop()
    const typed = { ...plan, name: 'ab', description: '文'.repeat(2000) }
    const next = await admin.submitNewCatalogItem(at(shop), form(typed), cookies)
    expect(next?.cookie?.length).toBeLessThan(4_096)
    const back = followed(next)
    const page = await admin.newCatalogItemPage(at(shop), null, back.query.get('form'), back.cookies)
    expect(page).toMatchObject({ values: { name: 'ab', description: '' }, problems: { name: expect.any(String) } })
  })

  test('a plan or product is changed, archived, and restored, each with one audit entry', async () => {
    const shop = await aShop()
    const { id } = await factories.aProduct(shop.testKey)
    const live = { name: 'Handbook', description: 'The whole of it.', productType: 'ebook' }
    const act = async (fields: Record<string, string>) => {
      const terms = (await admin.catalogItemPage(at(shop), id, null, cookies))?.form?.terms ?? ''
      return followed(await admin.submitCatalogItem(at(shop), id, form({ terms, ...fields }), cookies)).query.get(
        'done',
      )
    }
    expect(await act({ ...live, intent: 'update', 'basePrice.value': '30.00' })).toBe('updated')
    const page = await admin.catalogItemPage(at(shop), id, null, cookies)
    expect(page).toMatchObject({
      item: { basePrice: { value: '24.50' }, pendingUpdates: { basePrice: { value: '30.00' } } },
      form: { values: { 'basePrice.value': '30.00' } },
    })
    expect(await newestEntry()).toMatchObject({ action: 'catalog.update', subject: id })
    expect(await act({ intent: 'archive' })).toBe('archived')
    expect((await get(shop.testKey, `/v1/one-off-products/${id}`)).archivedAt).not.toBeNull()
    expect(await act({ intent: 'unarchive' })).toBe('unarchived')
    expect(await act({ intent: 'delete' })).toBeNull()
    expect(await newestEntry()).toMatchObject({ action: 'catalog.unarchive', subject: id })
  })

  test('a product form with a corrected name is still refused if another person changed the product meanwhile', async () => {
    const shop = await aShop()
    const { id } = await factories.aProduct(shop.testKey)
    const opened = (await admin.catalogItemPage(at(shop), id, null, cookies))?.form
    const sent = { ...opened?.values, intent: 'update', terms: opened?.terms ?? '', description: 'Corrected.' }
    const body = { basePrice: factories.price('25.00') }
    expect((await send(`PATCH /v1/one-off-products/${id}`, { key: shop.testKey, body })).status).toBe(200)
    const item = await get(shop.testKey, `/v1/one-off-products/${id}`)
    const submit = async (fields: Record<string, string>) => {
      const back = followed(await admin.submitCatalogItem(at(shop), id, form(fields), cookies))
      return admin.catalogItemPage(at(shop), id, back.query.get('form'), back.cookies)
    }
    const wrong = await submit({ ...sent, name: 'ab' })
    expect(wrong?.form).toMatchObject({ values: { name: 'ab' }, terms: sent.terms })
    expect(Object.keys(wrong?.form?.problems ?? {})).toEqual(['name'])
    const stale = await submit(sent)
    expect(await get(shop.testKey, `/v1/one-off-products/${id}`)).toEqual(item)
    // The form shows the current values, so sending the form again does not undo the price change that was made through the API.
    expect(stale?.form).toMatchObject({
      values: { 'basePrice.value': '25.00', description: item.description },
      problems: { terms: expect.stringContaining('changed after this page was shown') },
    })
    await submit({ ...stale?.form?.values, ...sent, 'basePrice.value': '25.00', terms: stale?.form?.terms ?? '' })
    expect(await get(shop.testKey, `/v1/one-off-products/${id}`)).toMatchObject({
      pendingUpdates: { basePrice: { value: '25.00' }, description: 'Corrected.' },
    })
  })

  test('the page of a rejected plan or product shows the merchant the reason', async () => {
    const shop = await aShop()
    const { id } = await factories.aProduct(shop.liveKey)
    const page = await admin.reviewPage(id, null, cookies)
    const terms = page && 'termsVersion' in page ? page.termsVersion : ''
    await admin.submitReview(id, form({ intent: 'reject', terms, reason: 'The description says nothing.' }), cookies)
    expect(await admin.catalogItemPage(at(shop, 'live'), id, null, cookies)).toMatchObject({
      item: { status: 'rejected' },
      rejectionReason: 'The description says nothing.',
    })
  })
})

describe('a checkout link', () => {
  const urls = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }

  test('a checkout link can have several products, a custom price, and a trial', async () => {
    const shop = await aShop()
    const { id: planId } = await factories.aPlan(shop.testKey)
    const { id: productId } = await factories.aProduct(shop.testKey)
    const { options } = (await admin.newCheckoutPage(at(shop), null, cookies)) ?? {}
    expect(options?.map(({ id }) => id)).toEqual([planId, productId])
    const lines = {
      'products.0.id': planId,
      'products.0.quantity': '2',
      'products.0.trialDays': '14',
      'products.0.price.value': '8,00',
      'products.2.id': productId,
    }
    const next = await admin.submitNewCheckout(at(shop), form({ ...lines, ...urls, locale: 'pl' }), cookies)
    const id = followed(next).path.split('/').at(-1) ?? ''
    expect(await admin.checkoutLinkPage(at(shop), id, cookies)).toMatchObject({
      checkout: {
        status: 'created',
        locale: 'pl',
        links: { checkoutUrl: { href: expect.stringContaining('/checkout/') } },
      },
      lines: [
        { quantity: 2, unitPrice: { value: '8.00' }, trialDays: 14, interval: { unit: 'month', count: 1 } },
        { quantity: 1, unitPrice: { value: '24.50' }, trialDays: null, interval: null },
      ],
    })
    expect(await newestEntry()).toMatchObject({ action: 'checkout.create', after: { id } })
    // The next form proposes the redirect URLs of the newest checkout link.
    expect((await admin.newCheckoutPage(at(shop), null, cookies))?.values).toEqual(urls)
  })

  test.each([
    ['quantity', '3'],
    ['price.value', '49.00'],
    ['trialDays', '14'],
  ])('a checkout line with the %s %s but without a product has an error on its product field', async (field, value) => {
    const shop = await aShop()
    const { id: planId } = await factories.aPlan(shop.testKey)
    const unused = { 'products.1.id': '', 'products.1.quantity': ' 1 ', 'products.1.price.value': '' }
    const lines = { 'products.0.id': planId, ...unused, 'products.2.id': '', [`products.2.${field}`]: value }
    const back = followed(await admin.submitNewCheckout(at(shop), form({ ...lines, ...urls }), cookies))
    const page = await admin.newCheckoutPage(at(shop), back.query.get('form'), back.cookies)
    expect(page?.problems).toEqual({ 'products.1.id': expect.any(String) })
    expect(page?.values).toMatchObject({
      'products.0.id': planId,
      'products.1.id': '',
      [`products.1.${field}`]: value,
    })
    expect((await admin.checkoutsPage(at(shop), {}, cookies))?.list.rows).toEqual([])
  })

  test('the form of a refused checkout link keeps the typed values', async () => {
    const shop = await aShop()
    const { id: planId } = await factories.aPlan(shop.testKey)
    await suspend(shop.scope, 'Suspected fraud')
    const typed = { 'products.0.id': planId, 'products.0.quantity': '3', ...urls }
    const back = followed(await admin.submitNewCheckout(at(shop), form(typed), cookies))
    expect(back.query.get('failed')).toBe('storefront_suspended')
    expect(await admin.newCheckoutPage(at(shop), back.query.get('form'), back.cookies)).toMatchObject({
      values: typed,
      problems: {},
    })
  })

  test('the form of a refused checkout link shows each problem at its line', async () => {
    const shop = await aShop()
    const [{ id: taxed }, { id: withTax }] = [
      await factories.aPlan(shop.testKey),
      await factories.aProduct(shop.testKey, { taxBehavior: 'inclusive' }),
    ]
    const lines = { 'products.1.id': taxed, 'products.1.quantity': 'two', 'products.3.id': withTax }
    const submit = (fields: object) => admin.submitNewCheckout(at(shop), form({ ...fields, ...urls }), cookies)
    const shown = async (next: Next) => {
      const back = followed(next)
      return admin.newCheckoutPage(at(shop), back.query.get('form'), back.cookies)
    }
    expect(await shown(await submit(lines))).toMatchObject({
      values: { 'products.0.id': taxed, 'products.0.quantity': 'two', 'products.1.id': withTax },
      problems: { 'products.0.quantity': expect.stringContaining('number') },
    })
    expect(await shown(await submit({ ...lines, 'products.1.quantity': '2' }))).toMatchObject({
      problems: { 'products.1.id': expect.stringContaining('priced in the same way') },
    })
    expect((await shown(await submit({})))?.problems).toMatchObject({
      products: expect.stringContaining('at least one'),
    })
    expect((await admin.checkoutsPage(at(shop), {}, cookies))?.list.rows).toEqual([])
  })
})

describe('an API key in the admin area', () => {
  const listed = async (shop: Shop) => (await admin.keysPage(at(shop), null, cookies))?.keys ?? []
  const answers = async (apiKey: string) => (await send('GET /v1/customers', { key: apiKey })).status

  test('a new API key is shown one time, to the person who issued it', async () => {
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
    'submitting an API key form with the action "%s" again has no effect, even if the lease of its idempotency key expired',
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

  test('an API key can be replaced or revoked only in its own storefront and mode', async () => {
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

  test('a webhook endpoint is refused with a reason if its URL responds with 500, and the refused form omits the typed secret', async () => {
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

describe('a change of a subscription', () => {
  const typed = (fields: object) => form({ subscriptionPlanId: '', quantity: '', 'price.value': '', ...fields })

  test('the charge of a subscription change equals its preview to the cent', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    await factories.aPlan(scenario.key)
    const fields = { quantity: '3', when: 'now', prorate: 'yes', invoice: 'now' }
    const page = await admin.subscriptionChangePage(at(scenario.shop), scenario.id, typed(fields), cookies)
    expect(page?.preview).toMatchObject({
      changesAnything: true,
      now: { subtotal: { value: '200.00' }, total: { value: '242.00' } },
      atRenewal: null,
      nextCharge: { total: { value: '363.00' } },
    })
    const next = await admin.submitSubscriptionChange(
      at(scenario.shop),
      scenario.id,
      typed({ ...fields, terms: page?.terms }),
      cookies,
    )
    expect(followed(next).query.get('done')).toBe('change')
    await drainTasks()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ status: 'paid', total: page?.preview?.now?.total })
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 3 })
    expect(await newestEntry()).toMatchObject({ action: 'subscription.change', subject: scenario.id })
    const terms = { subscriptionPlanId: scenario.planId, interval: 'month', intervalCount: 1 }
    expect((await newestEntry())?.after).toEqual({
      ...terms,
      quantity: 3,
      basePrice: { value: '100.00', currency: 'EUR' },
      scheduledUpdate: null,
      charged: page?.preview?.now?.total,
      addedToRenewal: null,
    })
    const same = await admin.subscriptionChangePage(at(scenario.shop), scenario.id, typed(fields), cookies)
    expect(same?.preview?.changesAnything).toBe(false)
  })

  test('the preview of a change shows a deferred charge as part of the renewal, and no immediate charge for a change at the renewal', async () => {
    const scenario = await subscriptionScenario()
    const preview = async (fields: object) =>
      (await admin.subscriptionChangePage(at(scenario.shop), scenario.id, typed({ quantity: '2', ...fields }), cookies))
        ?.preview
    expect(await preview({ when: 'now', prorate: 'yes', invoice: 'renewal' })).toMatchObject({
      now: null,
      atRenewal: { total: { value: '100.00' } },
      nextCharge: { total: { value: '300.00' } },
    })
    expect(await preview({ when: 'renewal' })).toMatchObject({
      changesAnything: true,
      now: null,
      atRenewal: null,
      nextCharge: { total: { value: '200.00' } },
    })
    expect(await preview({ when: 'now', prorate: 'no' })).toMatchObject({ now: null, atRenewal: null })
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 1, scheduledUpdate: null })
  })

  test('a refused change of a subscription states the problem of each field and has no effect', async () => {
    const scenario = await subscriptionScenario()
    const problems = async (fields: object) =>
      (await admin.subscriptionChangePage(at(scenario.shop), scenario.id, typed(fields), cookies))?.problems
    expect(await problems({ quantity: 'many' })).toMatchObject({ quantity: expect.stringContaining('number') })
    expect(await problems({ quantity: '0' })).toMatchObject({ quantity: expect.stringContaining('1') })
    expect(await problems({ quantity: '', 'price.value': 'x' })).toMatchObject({ 'price.value': expect.any(String) })
    expect(await problems({ subscriptionPlanId: 'plan_1' })).toEqual({ subscriptionPlanId: { code: 'planGone' } })
    expect(await problems({})).toEqual({ subscriptionPlanId: { code: 'nothingTyped' } })
    const next = await admin.submitSubscriptionChange(at(scenario.shop), scenario.id, typed({ quantity: '0' }), cookies)
    expect(followed(next)).toMatchObject({ path: expect.stringMatching(/\/change$/) })
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 1 })
  })
})

describe('the balance', () => {
  async function sold() {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    const page = await admin.balancePage(at(scenario.shop), {}, cookies)
    return { ...scenario, owed: page?.owed[0]?.value ?? '' }
  }

  test('the balance of a ledger account is the sum of its entries', async () => {
    const { shop } = await sold()
    const page = await admin.balancePage(at(shop), {}, cookies)
    const sum = (of: string) =>
      page?.entries.rows
        .filter(({ account }) => account === of)
        .reduce((total, { amount }) => total + Number(amount.value), 0)
    expect(page?.accounts.length).toBeGreaterThan(2)
    for (const { account, amount } of page?.accounts ?? []) expect(sum(account)).toBeCloseTo(Number(amount.value), 2)
    expect(await admin.balancePage(at(shop, 'live'), {}, cookies)).toMatchObject({ owed: [] })
  })

  test('a monthly statement ends with the owed balance on its page, in its CSV file, and in its PDF file', async () => {
    const { shop, owed } = await sold()
    const { months = [] } = (await admin.balancePage(at(shop), {}, cookies)) ?? {}
    const pages = await Promise.all(months.map((month) => admin.statementPage(at(shop), month, cookies)))
    const [newest] = pages.map((page) => page?.statements[0])
    expect([newest?.closing.value, pages.at(-1)?.statements[0]?.opening.value]).toEqual([String(owed), '0.00'])
    const file = await admin.exportStatement(at(shop), months[0] ?? '', cookies)
    const parts: string[] = []
    for await (const part of file?.parts ?? []) parts.push(part)
    expect(parts.join('')).toContain(`,closing,,,,,,${owed}\r\n`)
    expect(file?.fileName).toBe(`${shop.storefrontId}-test-statement-${months[0]}.csv`)
    expect(await newestEntry()).toMatchObject({ action: 'export.statement', after: { month: months[0] } })

    const pdf = await admin.exportStatementPdf(at(shop), months[0] ?? '', cookies)
    expect(pdf?.fileName).toBe(`${shop.storefrontId}-test-statement-${months[0]}.pdf`)
    const written = await textOfPdf((await pdf?.parts.next())?.value ?? new Uint8Array())
    for (const said of ['TESTMODE:NOREALMONEY', `Closingbalance€${owed}`, `Sales1`, shop.storefrontId])
      expect(written.toUpperCase()).toContain(said.toUpperCase())
    expect(await newestEntry()).toMatchObject({ after: { month: months[0], format: 'pdf' } })
    expect(await admin.exportStatementPdf(at(shop), '2026-13', cookies)).toBeNull()
    for (const month of ['2026-13', 'constructor', '']) {
      expect(await admin.statementPage(at(shop), month, cookies), month).toBeNull()
      expect(await admin.exportStatement(at(shop), month, cookies), month).toBeNull()
    }
  })

  const submit = async ({ shop }: { shop: Shop }, fields: object, by = cookies) =>
    admin.submitPayouts(
      at(shop),
      form({ intent: 'book', currency: 'EUR', amount: '10.00', reference: 'T-1', ...fields }),
      by,
    )
  const problemsOf = async ({ shop }: { shop: Shop }, next: Next) => {
    const back = followed(next)
    const page = await admin.payoutsPage(at(shop), { form: back.query.get('form') }, back.cookies)
    return Object.keys(page?.request?.problems ?? {})
  }
  const owedNow = async ({ shop }: { shop: Shop }) =>
    Number((await admin.balancePage(at(shop), {}, cookies))?.owed[0]?.value)

  test('only staff can record a payout, at most the owed amount, and a second form with the same reference records no second payout', async () => {
    const sale = await sold()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: sale.shop.storefrontId } })
    const owner = await aMember('owner@example.com', merchant_id, 'owner')
    expect((await admin.payoutsPage(at(sale.shop), {}, owner.cookies))?.request).toMatchObject({ mayBook: false })
    expect(await submit(sale, {}, owner.cookies)).toBeNull()
    for (const fields of [{ amount: '99999.00' }, { amount: '-1' }, { reference: '<b>' }])
      expect(await problemsOf(sale, await submit(sale, { ...fields, code: codes[0] }))).toEqual(
        'amount' in fields ? ['amount'] : ['reference'],
      )
    for (const done of ['paidOut', 'bookedBefore']) {
      const fields = { code: codes.shift(), key: crypto.randomUUID() }
      for (const _ of ['a click', 'a second one on the same button'])
        expect(followed(await submit(sale, fields)).query.get('done')).toBe(done)
    }
    expect(await owedNow(sale)).toBeCloseTo(Number(sale.owed) - 10, 2)
    expect(await newestEntry()).toMatchObject({ action: 'payout.create', after: { amount: '10.00', isNew: false } })
  })

  test('staff can request a payout with a second-factor code, and cancel the requested payout', async () => {
    const sale = await sold()
    expect(followed(await submit(sale, { intent: 'request', code: codes.shift() })).query.get('done')).toBe('requested')
    const rows = async () => (await admin.payoutsPage(at(sale.shop), {}, cookies))?.list.rows ?? []
    const [{ id: payout = '', ...row } = {}] = await rows()
    expect(row).toMatchObject({ status: 'requested', reference: 'T-1', byHand: false, moves: ['cancel'] })
    expect(await owedNow(sale)).toBeCloseTo(Number(sale.owed) - 10, 2)
    const merchant = (await db().storefronts.findUniqueOrThrow({ where: { id: sale.shop.storefrontId } })).merchant_id
    const accountant = await aMember('books@example.com', merchant, 'accountant')
    expect(await submit(sale, { intent: 'cancel', payout }, accountant.cookies)).toBeNull()
    expect((await admin.payoutsPage(at(sale.shop), {}, accountant.cookies))?.list.rows[0]?.moves).toEqual([])
    expect(followed(await submit(sale, { intent: 'confirm', payout })).query.get('failed')).toBe('illegal_move')
    for (const _ of [1, 2])
      expect(followed(await submit(sale, { intent: 'cancel', payout })).query.get('done')).toBe('cancel')
    expect(await newestEntry()).toMatchObject({ action: 'payout.cancel', subject: payout })
    expect((await rows()).map(({ status, moves }) => [status, moves])).toEqual([['canceled', []]])
    expect(await owedNow(sale)).toBe(Number(sale.owed))
  })

  test('recording a payout needs a recent second-factor code, and one code records one payout', async () => {
    const sale = await sold()
    for (const code of ['', '000000', 'recovery'])
      expect(await problemsOf(sale, await submit(sale, { code }))).toEqual(['code'])
    expect(await owedNow(sale)).toBe(Number(sale.owed))
    const sent = { code: codes.shift(), key: key() }
    for (const _ of [1, 2]) expect(followed(await submit(sale, sent)).query.get('done')).toBe('paidOut')
    expect(await problemsOf(sale, await submit(sale, { ...sent, key: key(), reference: 'T-2' }))).toEqual(['code'])
    expect(await owedNow(sale)).toBeCloseTo(Number(sale.owed) - 10, 2)
  })
})

describe('a chargeback that exceeds the sale', () => {
  async function disputed() {
    const scenario = await subscriptionScenario()
    const [order] = await ordersOf(scenario)
    const { chargebackId } = await raise(order.id, { amount: '500.00', reason: 'fraud' })
    await drainTasks()
    return { ...scenario, id: chargebackId }
  }

  test.each(['accepted', 'rejected'])(
    'staff can decide only once about a chargeback that exceeds the sale: %s',
    async (decision) => {
      const { shop, id } = await disputed()
      const toDecide = { status: 'requires_amount_review' }
      expect((await admin.openDisputesPage(toDecide, cookies))?.rows).toContainEqual(expect.objectContaining({ id }))
      expect(await admin.chargebackPage(at(shop), id, {}, cookies)).toMatchObject({ isWaiting: true, mayDecide: true })
      const { ifAccepted } = (await admin.chargebackPage(at(shop), id, {}, cookies)) ?? {}
      const decide = async (intent: string) =>
        followed(await admin.submitChargeback(at(shop), id, form({ intent }), cookies)).query
      expect((await decide(decision)).get('done')).toBe(decision)
      expect(await newestEntry()).toMatchObject({ action: `chargeback.${decision}`, subject: id })
      const entries = (await verifyAudit()).entries
      expect((await decide(decision)).get('failed')).toBe('illegal_move')
      expect((await verifyAudit()).entries).toBe(entries)
      await drainTasks()
      expect(await admin.chargebackPage(at(shop), id, {}, cookies)).toMatchObject({
        isWaiting: false,
        ifAccepted: null,
        chargeback: { status: decision },
        // After staff accept the chargeback, the settlement amount equals the amount that the page stated before the decision.
        ...(decision === 'accepted' && { chargeback: { status: decision, settlementAmount: ifAccepted } }),
      })
    },
  )

  test('a merchant can see but not decide a chargeback under review', async () => {
    const { shop, id } = await disputed()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const owner = await aMember('disputed@example.com', merchant_id, 'owner')
    expect(await admin.chargebackPage(at(shop), id, {}, owner.cookies)).toMatchObject({
      isWaiting: true,
      mayDecide: false,
    })
    expect(await admin.submitChargeback(at(shop), id, form({ intent: 'rejected' }), owner.cookies)).toBeNull()
    expect(await admin.openDisputesPage({}, owner.cookies)).toBeNull()
    expect(await admin.submitChargeback(at(shop, 'live'), id, form({ intent: 'rejected' }), cookies)).toBeNull()
  })
})

describe('the figures of the home page', () => {
  const figuresOf = async (shop: Shop, choice: Record<string, string> = {}, mode: 'test' | 'live' = 'test') =>
    (await admin.storefrontOverview(at(shop, mode), choice, cookies))?.figures

  test('the admin home page shows the figures of a range in one currency, with plans, countries, and cancellations', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    await pass(scenario, 'P1M')
    const [order] = await ordersOf(scenario)
    const refund = { intent: 'refund', [`amount.${order.lines[0].id}`]: '40.00' }
    await admin.submitOrder(at(scenario.shop), order.id, form(refund), cookies)
    await pass(scenario, 'P1D')
    const { actions = [] } = (await admin.subscriptionPage(at(scenario.shop), scenario.id, cookies)) ?? {}
    const terms = actions.find(({ action }) => action === 'cancelNow')?.terms ?? ''
    await factories.pay(scenario.key, await factories.aCheckout(scenario.key, scenario.planId), {
      country: 'FR',
      email: 'second@example.com',
    })
    await admin.submitSubscription(at(scenario.shop), scenario.id, form({ intent: 'cancelNow', terms }), cookies)
    await closeFigures(scenario.shop.scope)

    const eur = (value: string) => ({ value, currency: 'EUR' })
    const months = await figuresOf(scenario.shop, { range: '12m' })
    expect(months).toMatchObject({ range: '12m', currency: 'EUR', completeUntil: null })
    expect(months?.periods.slice(-2)).toMatchObject([
      { from: '2027-01-01', to: '2027-01-31', netRevenue: eur('100.00'), mrr: eur('100.00'), new: eur('100.00') },
      { from: '2027-02-01', to: '2027-02-02', netRevenue: eur('160.00'), mrr: eur('100.00'), churn: eur('100.00') },
    ])
    expect(months?.netRevenue.value).toEqual(eur('260.00'))
    expect(months?.plans).toEqual([
      { name: expect.any(String), url: expect.stringContaining(scenario.planId), mrr: eur('100.00') },
    ])
    expect(months?.countries).toEqual([
      { country: 'NL', netRevenue: eur('160.00') },
      { country: 'FR', netRevenue: eur('100.00') },
    ])
    expect(months?.cancellations).toEqual([{ reason: 'merchant_request', count: 1 }])

    const days = await figuresOf(scenario.shop)
    expect(days?.periods).toHaveLength(30)
    expect(days?.churn.value).toBe(1)
    const weeks = await figuresOf(scenario.shop, { range: '90d', currency: 'SEK' })
    expect([weeks?.periods.length, weeks?.currency]).toEqual([13, 'EUR'])
  })

  test('the admin home page shows figures in the most used currency, and links to the other currencies', async () => {
    const { shop, key: storefrontKey, planId } = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    for (const email of ['a@example.com', 'b@example.com'])
      await factories.pay(storefrontKey, await factories.aCheckout(storefrontKey, planId), {
        country: 'GB',
        currency: 'GBP',
        email,
      })
    await pass({ key: storefrontKey }, 'P2D')
    await closeFigures(shop.scope)
    const figures = await figuresOf(shop)
    expect(figures?.mrr.value).toEqual({ value: '173.00', currency: 'GBP' })
    expect(figures?.currencies.map(({ name, isCurrent }) => [name, isCurrent])).toEqual([
      ['GBP', true],
      ['EUR', false],
    ])
    expect((await figuresOf(shop, { currency: 'EUR' }))?.mrr.value).toEqual({ value: '100.00', currency: 'EUR' })
    expect((await figuresOf(shop, {}, 'live'))?.netRevenue.value).toEqual({ value: '0.00', currency: 'EUR' })
  })

  test('the admin home page states the last counted day if the job that counts figures is late', async () => {
    const { shop, key: storefrontKey } = await subscriptionScenario()
    await pass({ key: storefrontKey }, 'P20D')
    expect((await figuresOf(shop))?.completeUntil).toBe('2026-12-31')
    await closeFigures(shop.scope)
    expect((await figuresOf(shop))?.completeUntil).toBeNull()
  })
})

describe('the email kinds', () => {
  const rowOf = async (shop: Shop, kind: string) =>
    (await admin.emailKindsPage(at(shop), cookies))?.kinds.find((each) => each.kind === kind)
  const submit = async (shop: Shop, fields: Record<string, string>) =>
    followed(await admin.submitEmailKinds(at(shop), form(fields), cookies)).query

  test('switching email kinds on or off applies to both modes and adds an audit entry', async () => {
    const shop = await aShop()
    for (const [intent, action, isSent] of [
      ['off', 'email.disable', false],
      ['on', 'email.enable', true],
    ] as const) {
      expect((await submit(shop, { intent, kind: 'trial_ending' })).get('done')).toBe(intent)
      expect(await rowOf(shop, 'trial_ending')).toMatchObject({ isSent, required: null })
      expect(await newestEntry()).toMatchObject({ action, subject: shop.storefrontId, after: { kind: 'trial_ending' } })
    }
  })

  test('required email kinds cannot be disabled, and unknown kinds are ignored', async () => {
    const shop = await aShop()
    const { entries } = await verifyAudit()
    expect((await submit(shop, { intent: 'off', kind: 'receipt' })).get('failed')).toBe('validation_failed')
    expect(await rowOf(shop, 'receipt')).toMatchObject({ isSent: true, required: expect.any(String) })
    for (const fields of [
      { intent: 'off', kind: 'constructor' },
      { intent: 'drop', kind: 'trial_ending' },
    ])
      expect([...(await submit(shop, fields)).keys()]).toEqual([])
    expect((await verifyAudit()).entries).toBe(entries)
  })

  test('the preview of an email is in the requested language and shows the brand of the storefront', async () => {
    const shop = await aShop()
    const fields = { displayName: 'Northwind Tools' }
    await admin.submitBrand(at(shop), { intent: 'save', fields, logo: undefined }, cookies)
    const preview = (language: string | null) => admin.emailPreviewPage(at(shop), 'trial_ending', language, cookies)
    expect(await preview('de')).toMatchObject({ locale: 'de', text: expect.stringContaining('Northwind Tools') })
    expect((await preview('pl'))?.subject).not.toBe((await preview('de'))?.subject)
    for (const other of [null, 'xx']) expect(await preview(other)).toMatchObject({ locale: 'en' })
    expect(await admin.emailPreviewHtml(at(shop), 'trial_ending', 'de', cookies)).toContain('Northwind Tools')
    expect(await admin.emailPreviewPage(at(shop), 'constructor', 'de', cookies)).toBeNull()
  })
})

describe('an export', () => {
  const read = async (shop: Shop, section: string, filters = {}) => {
    const file = await admin.exportCsv(at(shop), section, new URLSearchParams(filters), cookies)
    const parts: string[] = []
    for await (const part of file?.parts ?? []) parts.push(part)
    return { fileName: file?.fileName, lines: parts.join('').split('\r\n').slice(0, -1) }
  }

  test.each([
    ...['orders', 'refunds', 'subscriptions', 'customers', 'checkouts', 'chargebacks', 'balance', 'payouts', 'emails'],
    ...['catalog', 'endpoints', 'deliveries', 'keys', 'members'],
  ])('the CSV export of %s has a header line and at least one complete row', async (section) => {
    const scenario = await aWholeShop()
    const { lines, fileName } = await read(scenario.shop, section)
    expect(fileName).toBe(`${scenario.shop.storefrontId}-test-${section}.csv`)
    expect(lines[0]).toMatch(/^\ufeffid,/)
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines.slice(1))
      expect(line.split(',').length).toBeGreaterThanOrEqual(lines[0]?.split(',').length ?? 99)
    expect(await newestEntry()).toMatchObject({ action: `export.${section}`, subject: scenario.shop.storefrontId })
  })

  test('an export uses the filter of its list', async () => {
    const { shop } = await aWholeShop()
    const count = async (section: string, filters: object) => (await read(shop, section, filters)).lines.length
    expect(await count('orders', { status: 'expired' })).toBe(0)
    expect(await count('orders', { status: 'paid' })).toBe(await count('orders', {}))
    expect(await count('deliveries', { endpoint: 'webhook_0' })).toBe(0)
    expect(await count('customers', { email: 'nobody@example.com' })).toBe(0)
    expect(await count('customers', { email: '\u0000' })).toBe(await count('customers', {}))
    expect(await count('catalog', { kind: 'one_off_product' })).toBe(0)
    expect((await newestEntry())?.after).toEqual({ mode: 'test' })
  })

  test.each(roles)('the role %s can export exactly the lists that the role may read and export', async (role) => {
    const { shop } = await aWholeShop()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const member = await aMember(`csv-${role}@example.com`, merchant_id, role)
    const allowed: string[] = []
    for (const section of [...ofSales, ...ofSetUp])
      if (await admin.exportCsv(at(shop), section, new URLSearchParams(), member.cookies)) allowed.push(section)
    expect(allowed).toEqual(exportedBy[role])
  })

  test('an export of 450 customers contains each customer once', async () => {
    const shop = await aShop()
    await db().customers.createMany({
      data: Array.from({ length: 450 }, (_, number) => ({
        id: `customer_${String(number).padStart(22, '0')}`,
        storefront_id: shop.storefrontId,
        testmode: true,
        email: `${number}@example.com`,
        created_at: new Date(),
      })),
    })
    const [, ...lines] = (await read(shop, 'customers')).lines
    const ids = lines.map((line) => line.slice(0, line.indexOf(',')))
    expect(ids.sort()).toEqual(
      Array.from({ length: 450 }, (_, number) => `customer_${String(number).padStart(22, '0')}`),
    )
  })

  test('exporting an unknown list returns null', async () => {
    const shop = await aShop()
    for (const section of ['audit', 'constructor', ''])
      expect(await admin.exportCsv(at(shop), section, new URLSearchParams(), cookies), section).toBeNull()
  })
})

const ofSales = [
  ...['orders', 'refunds', 'subscriptions', 'customers', 'checkouts', 'chargebacks', 'balance', 'payouts', 'emails'],
]
const ofSetUp = ['catalog', 'endpoints', 'deliveries', 'keys', 'members']
const exportedBy: Record<Role, string[]> = {
  owner: [...ofSales, ...ofSetUp],
  developer: ['catalog', 'endpoints', 'deliveries', 'keys'],
  support: ['catalog', 'endpoints', 'deliveries'],
  accountant: [...ofSales, 'catalog'],
}

async function aWholeShop() {
  const scenario = await subscriptionScenario()
  const { shop } = scenario
  await factories.anEndpoint(scenario.key, receiver.url)
  await factories.pay(scenario.key, await factories.aCheckout(scenario.key, scenario.planId))
  await drainTasks()
  const [order] = await ordersOf(scenario)
  await admin.submitOrder(
    at(shop),
    order.id,
    form({ intent: 'refund', [`amount.${order.lines[0].id}`]: '1.00' }),
    cookies,
  )
  await createPayout(shop.scope, { amount: '1.00' })
  await raise(order.id, { amount: '1.00', reason: 'fraud' })
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  await aMember(`${shop.storefrontId}@example.com`, merchant_id, 'owner')
  await drainTasks()
  return scenario
}
