import { beforeAll, describe, expect, it } from 'vitest'
import { seeOther } from '@/app/(hosted)/form.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import { buyerFields } from '../../modules/checkouts/page.ts'
import { redirectUrlProblem } from '../../modules/checkouts/rules/redirect-url.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { prototypeNames } from '../../testing/prototype-names.ts'
import { aCatalogue, aCheckout, aShop, buyerForm, germanVisitor, type Shop, tokenOf } from '../../testing/shop.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { checkoutPage } from './load-checkout.ts'
import { quote } from './load-quote.ts'
import { submit } from './submit-checkout.ts'

let shop: Shop
let items: { id: string }[]

beforeAll(async () => {
  shop = await aShop()
  const { planId } = await aCatalogue(shop)
  items = [{ id: planId }]
})

async function onItsWay() {
  const checkout = await aCheckout(shop, items)
  const next = await submit(checkout.token, buyerForm({ paymentMethod: 'directdebit' }), germanVisitor)
  await chooseOutcome(tokenOf(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid' }))
  const { provider_ref } = await db().payments.findFirstOrThrow({ where: { checkout_id: checkout.id } })
  const ref = provider_ref ?? ''
  const bankSays = async (status: 'canceled' | 'expired' | 'failed') => {
    await db().sandbox_payments.update({ where: { ref }, data: { status } })
    await syncWithProvider(shop.scope, ref)
  }
  return { ...checkout, bankSays }
}

describe('unusual input of a sale', () => {
  it.each(['Germany', 'DEU', ''])(
    'the checkout page opens after a buyer submitted the invalid country %j',
    async (country) => {
      const { token } = await aCheckout(shop, items)
      await submit(token, buyerForm({ country, taxId: 'X1' }), germanVisitor)
      const page = await checkoutPage(token, germanVisitor)
      if (page?.state !== 'open') throw new Error('the page is not open')
      expect(page.form.country).toBe(country)
      expect(page.quote).toMatchObject({ country: null, taxes: [], taxId: 'none', reverseCharge: false })
      expect(page.quote.total).toEqual(page.quote.subtotal)
    },
  )

  it('inherited JavaScript property names in any field of the checkout form or the price quote cause no failure', async () => {
    const { token } = await aCheckout(shop, items)
    const others = [...buyerFields, 'paymentMethod', 'currency', 'timeZone', 'confirmCountry', 'seenPrices']
    const groups = [['country'], ['taxId', 'region', 'postalCode'], others.filter((field) => field !== 'country')]
    for (const name of prototypeNames)
      for (const fields of groups) {
        const odd = Object.fromEntries(fields.map((field) => [field, name]))
        const typed = buyerForm({ country: 'FR', taxId: 'FR1', email: '', ...odd })
        expect(await quote(token, typed, germanVisitor), `${fields} ${name}`).toHaveProperty('total')
        expect((await submit(token, typed, germanVisitor))?.redirectTo, `${fields} ${name}`).toMatch(/#problems$/)
        expect(await checkoutPage(token, germanVisitor), `${fields} ${name}`).not.toBeNull()
      }
  })

  it.each(['https://sklep.example/dziękujemy', 'https://shop.example/danke-schön'])(
    'the redirect URL %s is accepted, and the buyer is redirected to this URL',
    (url) => {
      expect(redirectUrlProblem(url)).toBeNull()
      expect(seeOther(url).headers.get('location')).toBe(new URL(url).href)
    },
  )

  it('a redirect to the host ẞ.example has the host xn--zca.example in its Location header', () => {
    const url = 'https://ẞ.example/danke'
    expect(redirectUrlProblem(url)).toBeNull()
    expect(seeOther(url).headers.get('location')).toBe('https://xn--zca.example/danke')
    expect(originsOf({ redirectUrlSuccess: url, redirectUrlCanceled: null })).toEqual(['https://xn--zca.example'])
  })

  it('a name that is too long gets a field error, even if the length limit of the stored draft cuts an emoji', async () => {
    const { token } = await aCheckout(shop, items)
    const next = await submit(token, buyerForm({ fullName: `${'a'.repeat(999)}\u{1F49A}` }), germanVisitor)
    expect(next?.redirectTo).toContain('#problems')
  })

  it.each(['canceled', 'expired'] as const)(
    'a pending direct debit gets the status %s after the provider reports this status',
    async (status) => {
      const { id, bankSays } = await onItsWay()
      await bankSays(status)
      expect(await db().payments.findFirst({ where: { checkout_id: id } })).toMatchObject({ status })
    },
  )

  it('after a second payment attempt, the lines of the order name their subscriptions', async () => {
    const { token, bankSays } = await onItsWay()
    await bankSays('failed')
    await submit(token, buyerForm(), germanVisitor)
    const { body } = await send('GET /v1/orders?limit=1', { key: shop.testKey })
    expect(body.data[0].lines).toMatchObject([{ productType: 'subscription' }])
  })

  it('a redirect URL that would change the Content-Security-Policy is refused', () => {
    expect(redirectUrlProblem('http://shop.example;sandbox/')).not.toBeNull()
  })
})
