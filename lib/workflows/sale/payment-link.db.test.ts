import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { approveReview } from '../../modules/catalog/operations.ts'
import type { PaymentLinkPage } from '../../modules/payment-links/page.ts'
import { db } from '../../platform/db/db.ts'
import { newFormKey } from '../../platform/http/form-key.ts'
import { allRows } from '../../testing/all-rows.ts'
import { send } from '../../testing/api.ts'
import { killedAt, moments, places } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { resume, suspend } from '../storefronts/operations.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { checkoutPage } from './load-checkout.ts'
import { quoteLink } from './load-link-quote.ts'
import { loadPaymentLink } from './load-payment-link.ts'
import { submitPaymentLink } from './submit-payment-link.ts'

let shop: Shop
let key: string
let planId: string
let productId: string

beforeEach(async () => {
  shop = await aShop({ at: '2026-12-01T00:00:00Z' })
  key = shop.testKey
  planId = (await factories.aPlan(key)).id
  productId = (await factories.aProduct(key)).id
})
afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

type Made = { id: string; url: string }
const aLink = (differences: object = {}): Promise<Made> => factories.aPaymentLink(key, productId, differences)
const codeOf = ({ url }: Made) => tokenOf(url)
const ranged = { minQuantity: 1, maxQuantity: 50 }

async function opened(link: Made): Promise<PaymentLinkPage & { state: 'open' }> {
  const { view } = await loadPaymentLink(codeOf(link), germanVisitor)
  if (view?.state !== 'open') throw new Error(`the page is ${view?.state}`)
  return view
}

async function formOf(link: Made, differences: Record<string, string> = {}): Promise<URLSearchParams> {
  const form = buyerForm({ key: (await opened(link)).formKey, ...differences })
  const quote = await quoteLink(codeOf(link), form, germanVisitor)
  form.set('seenPrices', quote?.prices ?? '')
  return form
}

const submit = async (link: Made, form: URLSearchParams) =>
  (await submitPaymentLink(codeOf(link), form, germanVisitor))?.redirectTo ?? ''

const payAt = (address: string) =>
  chooseOutcome(tokenOf(address), new URLSearchParams({ outcome: 'paid', mandate: 'valid' }))

const checkoutsOf = async ({ id }: Made) => {
  const { data } = (await send('GET /v1/checkouts?limit=100', { key })).body
  return data.filter(({ paymentLinkId }: { paymentLinkId: string }) => paymentLinkId === id)
}

describe('a buyer at a payment link', () => {
  it('a buyer at a payment link gets one checkout with the id of the link, and pays one order', async () => {
    const link = await aLink({
      items: [
        { id: planId, quantity: 5, ...ranged, metadata: { seat: 'team' } },
        { id: productId, price: factories.price('20.00') },
      ],
      redirectUrlSuccess: 'https://shop.example/ok?c={CHECKOUT_ID}',
      metadata: { campaign: 'launch' },
    })
    const page = await opened(link)
    expect(page).toMatchObject({
      locale: 'de',
      quantities: [{ name: 'quantity.0', product: 'Pro', quantity: 5, min: 1, max: 50 }],
      quote: { lines: [{ quantity: 5 }, { quantity: 1, unitPrice: { value: '20.00' } }] },
    })
    const asked = new URLSearchParams({ 'quantity.0': '7', country: 'DE' })
    const quoted = await quoteLink(codeOf(link), asked, germanVisitor)
    expect(quoted).toMatchObject({
      lines: [{ quantity: 7, amount: { value: '70.00' } }, {}],
      total: { value: '107.10' },
    })

    const payment = await submit(link, await formOf(link, { 'quantity.0': '7' }))
    expect(payment).toMatch(/^\/pay\//)
    const success = await payAt(payment)
    const [checkout, ...others] = await checkoutsOf(link)
    expect(others).toEqual([])
    expect(success?.redirectTo).toBe(`https://shop.example/ok?c=${checkout.id}`)
    expect(checkout).toMatchObject({
      status: 'paid',
      paymentLinkId: link.id,
      redirectUrlSuccess: `https://shop.example/ok?c=${checkout.id}`,
      redirectUrlCanceled: link.url,
      metadata: { campaign: 'launch' },
    })
    const order = (await send(`GET /v1/orders/${checkout.orderId}`, { key })).body
    expect(order).toMatchObject({ status: 'paid', total: { value: '107.10' }, metadata: { campaign: 'launch' } })
    const events = await db().events.findMany({ where: { entity_id: checkout.id } })
    expect(events.map(({ body }) => JSON.parse(String(body)).object.paymentLinkId)).toEqual([link.id])
  })

  it('without a success URL, a buyer at a payment link returns to the page of the checkout', async () => {
    const link = await aLink()
    const success = await payAt(await submit(link, await formOf(link)))
    const [checkout] = await checkoutsOf(link)
    expect(checkout.redirectUrlSuccess).toBe(checkout.links.checkoutUrl.href)
    expect(checkout.links.checkoutUrl.href.endsWith(success?.redirectTo ?? '')).toBe(true)
    expect(await checkoutPage(tokenOf(success?.redirectTo ?? ''), germanVisitor)).toMatchObject({
      state: 'paid',
      successUrl: null,
    })
  })

  it('the page of the checkout shows the problems of the payment link’s form and all entered values', async () => {
    const link = await aLink()
    const address = await submit(link, await formOf(link, { email: 'ada', city: 'Bonn' }))
    expect(address).toMatch(/^\/checkout\/.+#problems$/)
    expect(await checkoutPage(tokenOf(address).replace('#problems', ''), germanVisitor)).toMatchObject({
      state: 'open',
      form: { email: 'ada', city: 'Bonn' },
      problems: { email: { code: 'invalid' } },
    })
  })

  it.each([
    ['51', 50],
    ['0', 1],
    ['many', 5],
  ])(
    'if a buyer types the quantity %s, the buyer must confirm the total of an allowed quantity',
    async (typed, quantity) => {
      const link = await aLink({ items: [{ id: productId, quantity: 5, ...ranged }] })
      const address = await submit(link, await formOf(link, { 'quantity.0': typed }))
      expect(await checkoutPage(tokenOf(address), germanVisitor)).toMatchObject({
        state: 'open',
        notice: { kind: 'total_changed' },
        quote: { lines: [{ quantity }] },
      })
    },
  )

  it('the buyer must confirm the total if the price changed after the page was opened', async () => {
    const link = await aLink()
    const form = await formOf(link)
    await send(`PATCH /v1/one-off-products/${productId}`, { key, body: { basePrice: factories.price('99.00') } })
    await db().tasks.updateMany({ where: { name: { startsWith: 'catalog' } }, data: { run_at: new Date(0) } })
    await runDueTasks()
    const address = await submit(link, form)
    expect(await checkoutPage(tokenOf(address), germanVisitor)).toMatchObject({
      notice: { kind: 'total_changed' },
      quote: { lines: [{ unitPrice: { value: '99.00' } }] },
    })
  })
})

describe('a form of a payment link', () => {
  it('sending the form of a payment link again creates no second checkout, even after the link has ended', async () => {
    const link = await aLink()
    const form = await formOf(link)
    const payment = await submit(link, form)
    expect(await submit(link, form)).toBe(payment)
    await send(`PATCH /v1/payment-links/${link.id}`, { key, body: { active: false } })
    expect(await submit(link, form)).toBe(payment)
    await payAt(payment)
    expect(await submit(link, form)).toMatch(/^\/checkout\//)
    expect(await checkoutsOf(link)).toMatchObject([{ status: 'paid' }])
  })

  it('sending the form of a payment link again with a different quantity creates another checkout', async () => {
    const link = await aLink({ items: [{ id: productId, ...ranged }] })
    const page = await opened(link)
    for (const quantity of ['2', '3', '2']) await submit(link, buyerForm({ key: page.formKey, 'quantity.0': quantity }))
    expect(await checkoutsOf(link)).toHaveLength(2)
  })

  it.each([
    ['no key', {}],
    ['a malformed key', { key: 'x' }],
  ])('a payment link’s form that is sent with %s creates nothing', async (_, sent) => {
    const link = await aLink()
    const before = await allRows()
    expect(await submit(link, buyerForm(sent))).toBe(new URL(link.url).pathname)
    expect(await allRows()).toEqual(before)
  })

  it('concurrent submissions of a payment link’s form create one checkout, one order, and one payment', async () => {
    const link = await aLink()
    const form = await formOf(link)
    const lock = { sql: 'SELECT 1 FROM payment_links WHERE id = $1 FOR UPDATE', values: [link.id] }
    const ends = await raceBehind(
      lock,
      Array.from({ length: 6 }, () => () => submit(link, form)),
    )
    const targets = ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))
    expect([...new Set(targets)]).toEqual([expect.stringMatching(/^\/pay\//)])
    const [checkout, ...others] = await checkoutsOf(link)
    expect(others).toEqual([])
    expect(await db().orders.count({ where: { checkout_id: checkout.id } })).toBe(1)
    expect(await db().payments.count({ where: { checkout_id: checkout.id } })).toBe(1)
  })

  it('if a payment link is closed while forms are submitted, no form creates a checkout after the closing', async () => {
    const link = await aLink()
    const forms = await Promise.all(Array.from({ length: 4 }, () => formOf(link)))
    let atClose = -1
    const close = async () => {
      await send(`PATCH /v1/payment-links/${link.id}`, { key, body: { active: false } })
      atClose = (await checkoutsOf(link)).length
      return ''
    }
    const lock = { sql: 'SELECT 1 FROM payment_links WHERE id = $1 FOR UPDATE', values: [link.id] }
    const [first, second, ...rest] = forms.map((form) => () => submit(link, form))
    await raceBehind(
      lock,
      [first, second, close, ...rest].flatMap((each) => each ?? []),
    )
    expect(await checkoutsOf(link)).toHaveLength(atClose)
  })

  it.each(moments)(
    'if the process is killed %s any query of a payment link’s form, sending the form again makes exactly one sale',
    async (moment) => {
      const link = await aLink({ items: [{ id: planId }] })
      const form = await formOf(link)
      const restore = await takeSnapshot()
      const pay = async () => {
        const address = await submit(link, form)
        if (address.startsWith('/pay/')) await payAt(address)
      }
      let n = 0
      let isKilled = true
      while (isKilled) {
        n++
        await restore()
        isKilled = await killedAt(n, moment, pay, places())
        await pay()
        await runDueTasks()
        expect(await checkoutsOf(link)).toMatchObject([{ status: 'paid' }])
        expect(await db().orders.count({ where: { storefront_id: shop.storefrontId } })).toBe(1)
      }
      // A sale commits the checkout, the order with its payment, the payment at the provider, and the outcome in four transactions.
      expect(n).toBeGreaterThan(4)
    },
  )
})

describe('the page of a payment link', () => {
  it('100 visits and 10 quotes of a payment link write no row, and each visit has a new form key', async () => {
    const link = await aLink({ items: [{ id: planId, ...ranged }] })
    const before = await allRows()
    const keys = new Set<string>()
    for (let visit = 0; visit < 100; visit++) {
      keys.add((await opened(link)).formKey)
      const asked = new URLSearchParams({ 'quantity.0': String(visit), taxId: 'DE1' })
      if (visit % 10 === 0) await quoteLink(codeOf(link), asked, germanVisitor)
    }
    expect(keys.size).toBe(100)
    expect(await allRows()).toEqual(before)
  })

  it('the page of a payment link is in the language of the link', async () => {
    expect(await opened(await aLink({ locale: 'pt-BR' }))).toMatchObject({ locale: 'pt' })
  })

  async function expectClosed(link: Made, state: string): Promise<void> {
    const before = await allRows()
    expect(await loadPaymentLink(codeOf(link), germanVisitor)).toMatchObject({ status: 410, view: { state } })
    expect(await quoteLink(codeOf(link), new URLSearchParams(), germanVisitor)).toBeNull()
    expect(await submit(link, buyerForm({ key: newFormKey() }))).toBe(new URL(link.url).pathname)
    expect(await allRows()).toEqual(before)
  }

  it('the page of an ended payment link says that the link has ended, until the link is reopened', async () => {
    const link = await aLink()
    await send(`PATCH /v1/payment-links/${link.id}`, { key, body: { active: false } })
    await expectClosed(link, 'closed')
    await send(`PATCH /v1/payment-links/${link.id}`, { key, body: { active: true } })
    await opened(link)
  })

  it('while a product is archived, the page of a payment link says that the offer is unavailable', async () => {
    const link = await aLink({ items: [{ id: productId }, { id: planId }] })
    await send(`POST /v1/one-off-products/${productId}/archive`, { key })
    await expectClosed(link, 'unavailable')
    await send(`DELETE /v1/one-off-products/${productId}/archive`, { key })
    await opened(link)
  })

  it('while the storefront is suspended, the page of a payment link says that nothing can be sold', async () => {
    const link = await aLink()
    await suspend(shop.scope, 'Under review.')
    await expectClosed(link, 'suspended')
    await resume(shop.scope)
    await opened(link)
  })

  it('in live mode, a payment link is closed while the plan is not approved, and while live payments are not set up', async () => {
    const { liveKey } = shop
    const { id } = await factories.aPlan(liveKey)
    const link: Made = await factories.aPaymentLink(liveKey, id)
    await expectClosed(link, 'unavailable')
    await approveReview(id)
    await expectClosed(link, 'live_not_set_up')
  })

  it.each(['', 'x', '0'.repeat(22), '0'.repeat(44), '%00', "' OR 1=1 --"])(
    'a payment link with the unknown code %o has no page, quote, or form',
    async (code) => {
      expect(await loadPaymentLink(code, germanVisitor)).toEqual({ status: 404, view: null })
      expect(await quoteLink(code, new URLSearchParams(), germanVisitor)).toBeNull()
      expect(await submitPaymentLink(code, buyerForm({ key: newFormKey() }), germanVisitor)).toBeNull()
    },
  )
})
