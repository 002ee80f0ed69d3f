import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import type { Role } from '../modules/operators/rules/access.ts'
import { db } from '../platform/db/db.ts'
import { newFormKey } from '../platform/http/form-key.ts'
import { newestEntry } from '../testing/admin-forms.ts'
import { send } from '../testing/api.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { aShop, buyerForm, germanVisitor, type Shop, tokenOf } from '../testing/shop.ts'
import { submitPaymentLink as buy } from '../workflows/sale/submit-payment-link.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'
import * as admin from './pages.ts'

let cookies: string | null
let shop: Shop
let planId: string
beforeAll(async () => {
  cookies = (await anOperator('links@example.com')).cookies
})
beforeEach(async () => {
  shop = await aShop()
  planId = (await factories.aPlan(shop.testKey)).id
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const at = (mode = 'test') => ({ mode, storefrontId: shop.storefrontId })
const form = (fields: Record<string, string>) => new URLSearchParams({ key: newFormKey(), ...fields })
const urlOf = (next: { redirectTo: string } | null) => new URL(next?.redirectTo ?? '', 'http://localhost')

async function sell(link: { url: string }, fields: Record<string, string> = {}): Promise<void> {
  const sent = buyerForm({ key: newFormKey(), ...fields })
  const next = await buy(tokenOf(link.url), sent, germanVisitor)
  await chooseOutcome(
    tokenOf(next?.redirectTo ?? ''),
    new URLSearchParams({ outcome: fields.outcome ?? 'paid', reason: 'card_declined', mandate: 'valid' }),
  )
}

describe('the form for a payment link', () => {
  const typed = {
    name: 'Pricing page',
    'items.0.id': '',
    'items.0.minQuantity': '5',
    'items.0.maxQuantity': '50',
    'items.0.price.value': '8,00',
    'items.0.trialDays': '14',
    locale: 'pl',
  }

  it('the form for a payment link creates one link with an audit entry and redirects to its page', async () => {
    const sent = form({ ...typed, 'items.0.id': planId })
    const next = urlOf(await admin.submitNewPaymentLink(at(), sent, cookies))
    expect(next.search).toBe('?done=created')
    await admin.submitNewPaymentLink(at(), sent, cookies)
    const { data } = (await send('GET /v1/payment-links', { key: shop.testKey })).body
    expect(data).toMatchObject([
      {
        name: 'Pricing page',
        active: true,
        redirectUrlSuccess: null,
        locale: 'pl',
        items: [{ id: planId, quantity: 5, minQuantity: 5, maxQuantity: 50, price: { value: '8.00' }, trialDays: 14 }],
      },
    ])
    const [link] = data
    expect(next.pathname).toBe(`/admin/test/${shop.storefrontId}/payment-links/${link.id}`)
    expect(await newestEntry()).toMatchObject({
      action: 'payment_link.create',
      after: { id: link.id, name: 'Pricing page', active: true },
    })
    expect(await admin.paymentLinkPage(at(), link.id, cookies)).toMatchObject({
      link,
      names: { [planId]: 'Pro' },
      sales: [],
      formKey: expect.any(String),
    })
  })

  it('a refused form for a payment link shows the entered values and the problem of each field', async () => {
    const sent = { ...typed, 'items.0.minQuantity': '', 'items.2.id': planId }
    const next = await admin.submitNewPaymentLink(at(), form(sent), cookies)
    const left = next?.cookie?.split(';')[0]
    const page = await admin.newPaymentLinkPage(at(), urlOf(next).searchParams.get('form'), `${cookies}; ${left}`)
    expect(page).toMatchObject({
      values: { name: 'Pricing page', 'items.0.maxQuantity': '50', 'items.1.id': planId },
      problems: { 'items.0.id': expect.any(String) },
      options: [{ id: planId }],
    })
    expect(await db().payment_links.count({ where: { storefront_id: shop.storefrontId } })).toBe(0)
  })
})

describe('the sales of payment links', () => {
  it('the sales of a payment link are the total of its paid orders including tax, by currency', async () => {
    const [first, second] = [
      await factories.aPaymentLink(shop.testKey, planId),
      await factories.aPaymentLink(shop.testKey, planId),
    ]
    await sell(first)
    await sell(first, { email: 'bob@example.com' })
    await sell(first, { country: 'US', currency: 'USD' })
    await sell(first, { outcome: 'failed' })
    await factories.pay(shop.testKey, await factories.aCheckout(shop.testKey, planId))
    const dollars = await db().orders.findFirstOrThrow({ where: { currency: 'USD' } })
    const sales = [
      { orders: 2, total: { value: '23.80', currency: 'EUR' } },
      { orders: 1, total: { value: (Number(dollars.total) / 100).toFixed(2), currency: 'USD' } },
    ]
    const rows = (await admin.paymentLinksPage(at(), {}, cookies))?.list.rows
    expect(rows?.map(({ link, sales }) => [link.id, sales])).toEqual([
      [second.id, []],
      [first.id, sales],
    ])
    expect((await admin.paymentLinkPage(at(), first.id, cookies))?.sales).toEqual(sales)
  })
})

describe('the page of a payment link', () => {
  it('the page of a payment link shows the URL as an HTML button and as a QR code in two formats', async () => {
    const link = await factories.aPaymentLink(shop.testKey, planId)
    const page = await admin.paymentLinkPage(at(), link.id, cookies)
    expect(page?.buttonHtml).toContain(`<a href="${link.url}" `)
    const file = (url = '') => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
    expect(page?.qrCode.svg).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(file(page?.qrCode.svg).toString()).toMatch(/^<svg /)
    const png = await sharp(file(page?.qrCode.png)).metadata()
    expect(png).toMatchObject({ format: 'png', width: png.height })
    expect(png.width).toBeGreaterThan(900)
  })

  it('ending and reopening a payment link take effect, each with one audit entry, even if the button is clicked twice', async () => {
    const { id } = await factories.aPaymentLink(shop.testKey, planId)
    const { entries } = await verifyAudit()
    const act = async (intent: string) => {
      const sent = form({ intent })
      const click = async () => urlOf(await admin.submitPaymentLink(at(), id, sent, cookies)).search
      const [first, second] = [await click(), await click()]
      expect(second).toBe(first)
      return first
    }
    const status = async () => (await send(`GET /v1/payment-links/${id}`, { key: shop.testKey })).body.active
    expect([await act('end'), await status()]).toEqual(['?done=ended', false])
    expect(await newestEntry()).toMatchObject({ action: 'payment_link.end', subject: id, after: { active: false } })
    const listed = async (status: string) =>
      (await admin.paymentLinksPage(at(), { status }, cookies))?.list.rows.map(({ link }) => link.id)
    expect([await listed('active'), await listed('ended')]).toEqual([[], [id]])
    expect([await act('reopen'), await status()]).toEqual(['?done=reopened', true])
    expect(await newestEntry()).toMatchObject({ action: 'payment_link.reopen', subject: id })
    expect([await act('delete'), await status()]).toEqual(['', true])
    expect((await verifyAudit()).entries).toBe(entries + 2)
  })

  it.each<[Role, boolean]>([
    ['owner', true],
    ['developer', true],
    ['support', true],
    ['accountant', false],
  ])('every role sees a payment link, and the role %s may end the link: %s', async (role, mayEnd) => {
    const { id } = await factories.aPaymentLink(shop.testKey, planId)
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const member = (await aMember(`${role}-${shop.storefrontId}@example.com`, merchant_id, role)).cookies
    const page = await admin.paymentLinkPage(at(), id, member)
    expect([page?.link.id, page?.formKey !== null]).toEqual([id, mayEnd])
    await admin.submitPaymentLink(at(), id, form({ intent: 'end' }), member)
    expect((await send(`GET /v1/payment-links/${id}`, { key: shop.testKey })).body.active).toBe(!mayEnd)
  })

  it('a payment link is not found in the other mode or in another storefront', async () => {
    const { id } = await factories.aPaymentLink(shop.testKey, planId)
    const other = await aShop()
    for (const place of [at('live'), { mode: 'test', storefrontId: other.storefrontId }]) {
      expect(await admin.paymentLinkPage(place, id, cookies)).toBeNull()
      expect(await admin.submitPaymentLink(place, id, form({ intent: 'end' }), cookies)).toBeNull()
    }
  })
})
