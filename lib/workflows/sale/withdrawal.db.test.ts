import { afterAll, expect, test } from 'vitest'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop, tokenOf as linkTokenOf } from '../../testing/shop.ts'
import { drainTasks, pass } from '../../testing/subscription-scenario.ts'
import { aboutUnits, aPurchase, declare } from '../../testing/withdrawal.ts'
import { checkoutPage } from './load-checkout.ts'
import { quote } from './load-quote.ts'
import { submitCheckout } from './submit-checkout.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const visitor = { acceptLanguage: 'en', header: () => null }

const tokenOf = ({ links }: { links: { checkoutUrl: { href: string } } }) =>
  links.checkoutUrl.href.split('/').at(-1) ?? ''

async function sold(what: 'ebook' | 'saas' | 'both', form: Record<string, string>) {
  const { testKey: key } = await aShop({ at: '2027-01-01T00:00:00Z' })
  const ebook = what !== 'saas' ? [await factories.aProduct(key)] : []
  const saas = what !== 'ebook' ? [await factories.aPlan(key)] : []
  const products = [...ebook, ...saas].map(({ id }) => ({ id }))
  const checkout = await factories.aCheckout(key, products[0]?.id ?? '', { products })
  await factories.pay(key, checkout, form)
  await drainTasks()
  const page = await checkoutPage(tokenOf(checkout), visitor)
  const order = await db().orders.findFirstOrThrow({ where: { checkout_id: checkout.id } })
  const email = await db().emails.findFirstOrThrow({ where: { order_id: order.id } })
  return { order, receipt: page?.state === 'paid' ? page.receipt : null, email }
}

test.each([
  ['ebook', 'digital_content'],
  ['saas', 'service'],
  ['both', 'mixed'],
] as const)(
  'a consumer’s consent to an immediate start is confirmed and stored with the order: %s',
  async (what, kind) => {
    const { order, receipt } = await sold(what, { country: 'NL', beginAtOnce: 'yes' })
    expect(order).toMatchObject({ withdrawal: kind, begins_at_once: true })
    expect(receipt?.withdrawal).toEqual({
      kind,
      beginsAtOnce: true,
      until: '2027-01-15',
      url: expect.stringMatching(/^\/withdrawal\/[\w-]{44}$/),
    })
  },
)

test('without consent to an immediate start, a consumer keeps the right of withdrawal', async () => {
  for (const form of [{ country: 'DE' }, { country: 'DE', beginAtOnce: '' }, { country: 'DE', beginAtOnce: 'maybe' }]) {
    const { order, receipt } = await sold('ebook', { ...form, taxId: '' })
    expect(order).toMatchObject({ withdrawal: 'digital_content', begins_at_once: false })
    expect(receipt?.withdrawal?.beginsAtOnce).toBe(false)
  }
})

test('after a sale, the checkout page offers withdrawal and cancellation, and each offer disappears when it is no longer possible', async () => {
  const bought = await aPurchase({ beginAtOnce: 'yes' }, { item: { quantity: 2 } })
  const { checkout_id } = await db().orders.findUniqueOrThrow({ where: { id: bought.order.id } })
  const offered = async () => {
    const page = await checkoutPage(linkTokenOf(checkoutPath(checkout_id ?? '')), visitor)
    return page?.state === 'paid' && [page.receipt.withdrawal !== null, page.receipt.cancelable]
  }
  expect(await offered()).toEqual([true, 'now'])
  await declare(bought.token, aboutUnits([[0, '1', 2]]))
  expect(await offered()).toEqual([true, 'now'])
  await pass(bought, 'P15D')
  expect(await offered()).toEqual([false, 'now'])
  await send(`DELETE /v1/subscriptions/${bought.id}`, { key: bought.key })
  expect(await offered()).toEqual([false, null])
})

test('after a withdrawal from the whole purchase, the checkout page offers no withdrawal or cancellation, and shows no next charge', async () => {
  const bought = await aPurchase()
  const { checkout_id } = await db().orders.findUniqueOrThrow({ where: { id: bought.order.id } })
  await declare(bought.token)
  const page = await checkoutPage(linkTokenOf(checkoutPath(checkout_id ?? '')), visitor)
  expect(page).toMatchObject({ state: 'paid', receipt: { withdrawal: null, cancelable: null, nextCharges: [] } })
})

test('companies and buyers outside the EU have no right of withdrawal', async () => {
  for (const form of [{ country: 'DE', taxId: 'DE1' }, { country: 'CH' }, { country: 'US' }]) {
    const { order, receipt } = await sold('ebook', { ...form, beginAtOnce: 'yes' })
    expect(order).toMatchObject({ withdrawal: null, begins_at_once: false })
    expect(receipt?.withdrawal).toBeNull()
  }
})

test('only consumers in the EU are asked for consent to an immediate start, and a refused form keeps the answer', async () => {
  const { testKey: key } = await aShop()
  const checkout = await factories.aCheckout(key, (await factories.aProduct(key)).id)
  const token = tokenOf(checkout)
  const asks = async (query: Record<string, string>) =>
    (await quote(token, new URLSearchParams(query), visitor))?.withdrawal
  expect(await asks({ country: 'PL' })).toBe('digital_content')
  expect(await asks({ country: 'PL', taxId: 'PL1' })).toBeNull()
  expect(await asks({ country: 'CH' })).toBeNull()
  const wrong = { country: 'PL', email: 'ada', fullName: 'Ada', paymentMethod: 'creditcard' }
  for (const answer of ['yes', '']) {
    await submitCheckout(token, new URLSearchParams({ ...wrong, beginAtOnce: answer }), visitor)
    expect(await checkoutPage(token, visitor)).toMatchObject({
      state: 'open',
      beginsAtOnce: answer === 'yes',
      quote: { withdrawal: 'digital_content' },
      problems: { email: expect.anything() },
    })
  }
})
