import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { at, form, type Next, newestEntry } from '../testing/admin-forms.ts'
import { allRows } from '../testing/all-rows.ts'
import { send } from '../testing/api.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { anOperator } from '../testing/operator.ts'
import { aShop } from '../testing/shop.ts'
import { get } from '../testing/subscription-scenario.ts'
import { suspend } from '../workflows/storefronts/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null

beforeAll(async () => {
  const operator = await anOperator('trade@example.com')
  cookies = operator.cookies
})

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
  ])('in %s mode, the admin area creates a plan with the status %s', async (mode, status) => {
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

  test('the form of an invalid plan shows the entered values and the problem of each field', async () => {
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
    // The entered values are shown again only if both the form id and the form cookie match.
    expect(await admin.newCatalogItemPage(at(shop), kind, 'other', back.cookies)).toMatchObject({ problems: {} })
    expect(await admin.newCatalogItemPage(at(shop), kind, id, `${cookies}; __Host-billhook-form=x`)).toMatchObject({
      values: { name: '' },
      problems: {},
    })
    const { idempotency_keys: _, operator_sessions: __, ...unchanged } = before
    expect(await allRows()).toMatchObject(unchanged)
  })

  test('the form of a refused plan restores the entered values that fit into a cookie', async () => {
    const shop = await aShop()
    const typed = { ...plan, name: 'ab', description: '文'.repeat(2000) }
    const next = await admin.submitNewCatalogItem(at(shop), form(typed), cookies)
    expect(next?.cookie?.length).toBeLessThan(4_096)
    const back = followed(next)
    const page = await admin.newCatalogItemPage(at(shop), null, back.query.get('form'), back.cookies)
    expect(page).toMatchObject({ values: { name: 'ab', description: '' }, problems: { name: expect.any(String) } })
  })

  test('a product is changed, archived, and restored, and the audit log names the changes', async () => {
    const shop = await aShop()
    const { id } = await factories.aProduct(shop.testKey)
    const live = { name: 'Handbook', description: 'The complete handbook', productType: 'ebook' }
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
    const { entries } = await verifyAudit()
    expect(await act({ intent: 'archive' })).toBe('archived')
    expect(await newestEntry()).toMatchObject({ action: 'catalog.archive', subject: id })
    expect((await get(shop.testKey, `/v1/one-off-products/${id}`)).archivedAt).not.toBeNull()
    expect(await act({ intent: 'unarchive' })).toBe('unarchived')
    expect((await get(shop.testKey, `/v1/one-off-products/${id}`)).archivedAt).toBeNull()
    expect(await act({ intent: 'delete' })).toBeNull()
    expect(await newestEntry()).toMatchObject({ action: 'catalog.unarchive', subject: id })
    expect((await verifyAudit()).entries).toBe(entries + 2)
  })

  test('a product form with a corrected name is refused if another person changed the product after the first attempt', async () => {
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

  test('the page of a rejected product shows the reason', async () => {
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
  ])(
    'a checkout line with the field %s set to %s and without a product has an error on its product field',
    async (field, value) => {
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
    },
  )

  test('the form of a refused checkout link keeps the entered values', async () => {
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
      problems: { 'products.1.id': expect.stringContaining('must be tax inclusive, or all') },
    })
    expect((await shown(await submit({})))?.problems).toMatchObject({
      products: expect.stringContaining('at least one'),
    })
    expect((await admin.checkoutsPage(at(shop), {}, cookies))?.list.rows).toEqual([])
  })
})
