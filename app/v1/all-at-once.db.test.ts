import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '@/lib/platform/http/endpoint.ts'
import { endpoints, send } from '@/lib/testing/api.ts'
import * as factories from '@/lib/testing/factories.ts'
import { aReceiver } from '@/lib/testing/receiver.ts'
import { aCheckout, buyerForm, germanVisitor, tokenOf } from '@/lib/testing/shop.ts'
import { type Scenario, subscriptionOf, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { submitCheckout } from '@/lib/workflows/sale/submit-checkout.ts'
import { chooseOutcome } from '@/lib/workflows/test-payment-page/submit-test-payment.ts'

/**
 * These tests check that one response reports all problems of a request: invalid values, unknown references, and
 * invalid combinations.
 */

let scenario: Scenario
let ids: Record<string, string>
let receiver: Awaited<ReturnType<typeof aReceiver>>
beforeAll(async () => {
  receiver = await aReceiver((response) => response.writeHead(200).end())
  scenario = await subscriptionScenario({ at: '2027-06-01T00:00:00Z' })
  const { key } = scenario
  const { data } = await get('/v1/orders')
  const plan = await factories.aPlan(key, { taxBehavior: 'inclusive' })
  const [first, second] = [await factories.aCustomer(key), await factories.aCustomer(key)]
  const trial = await factories.aCheckout(key, scenario.planId, { products: [{ id: scenario.planId, trialDays: 7 }] })
  const { orderId } = await factories.pay(key, trial)
  const endpoint = await factories.anEndpoint(key, receiver.url)
  const other = await factories.anEndpoint(key, new URL('/other', receiver.url).href)
  const link = await send('POST /v1/payment-links', { key, body: { name: 'Link', items: [{ id: plan.id }] } })
  ids = {
    order: data[0].id,
    line: data[0].lines[0].id,
    subscription: scenario.id,
    plan: scenario.planId,
    inclusive: plan.id,
    unpaid: orderId,
    product: (await factories.aProduct(key)).id,
    pending: await aPendingMandate(),
    customer: first.id,
    held: second.email,
    endpoint: endpoint.id,
    other: other.id,
    url: receiver.url,
    paymentLink: link.body.id,
  }
})
afterAll(() => receiver.close())

async function aPendingMandate(): Promise<string> {
  const { token } = await aCheckout(scenario.shop, [{ id: scenario.planId }])
  const next = await submitCheckout(token, buyerForm(), germanVisitor)
  await chooseOutcome(tokenOf(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid', mandate: 'pending' }))
  return (await get('/v1/subscriptions')).data[0].id
}

const get = async (path: string) => (await send(`GET ${path}`, { key: scenario.key })).body
const filled = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(/:(\w+)(?=["/])/g, (name, id) => ids[id] ?? name))

const nowhere = (prefix: string) => prefix + '0'.repeat(22)
const dollars = { value: '1.00', currency: 'USD' }

const refused: Record<string, [line: string, body: object, fields: string[]][]> = {
  createSubscriptionPlan: [
    [
      'POST /v1/subscription-plans',
      { name: ' ', description: '\u200b\u3000', interval: 'day', intervalCount: 366, productType: 'ebook' },
      ['name', 'description', 'intervalCount', 'productType', 'basePrice'],
    ],
  ],
  updateSubscriptionPlan: [
    ['PATCH /v1/subscription-plans/:plan', { name: '   ', interval: 'week' }, ['name', 'intervalCount']],
    ['PATCH /v1/subscription-plans/:plan', { name: '', intervalCount: 13 }, ['name', 'intervalCount']],
    [
      'PATCH /v1/subscription-plans/:plan',
      { basePrice: dollars, interval: 'x' },
      ['basePrice.currency', 'interval', 'intervalCount'],
    ],
  ],
  createOneOffProduct: [
    [
      'POST /v1/one-off-products',
      { name: '\u00a0\u2003\u2028', basePrice: dollars },
      ['name', 'description', 'basePrice.currency', 'productType'],
    ],
  ],
  updateOneOffProduct: [
    [
      'PATCH /v1/one-off-products/:product',
      { description: '\n\t \n', productType: 'x' },
      ['description', 'productType'],
    ],
  ],
  createCustomer: [['POST /v1/customers', { email: 'nobody', name: 5, metadata: [] }, ['email', 'name', 'metadata']]],
  updateCustomer: [['PATCH /v1/customers/:customer', { email: ':held', name: 5 }, ['email', 'name']]],
  createCheckout: [
    [
      'POST /v1/checkouts',
      {
        products: [
          { id: nowhere('one_off_product_'), quantity: 0 },
          { id: ':plan', quantity: 999_999, price: { value: '999999.99', currency: 'EUR' }, trialDays: -1 },
          { id: ':inclusive', price: dollars },
          7,
        ],
        redirectUrlSuccess: 'javascript:alert(1)',
        customerId: nowhere('customer_'),
        locale: 'tlh',
        metadata: { a: null },
        billingAddress: { country: 'nl', city: 7 },
      },
      [
        ...['products.0.id', 'products.0.quantity', 'products.1.quantity', 'products.1.trialDays', 'products.2.id'],
        ...['products.2.price.currency', 'redirectUrlSuccess', 'redirectUrlCanceled', 'customerId', 'locale'],
        ...['products.3', 'metadata.a', 'billingAddress.country', 'billingAddress.city'],
      ],
    ],
  ],
  cancelSubscription: [['DELETE /v1/subscriptions/:subscription', { immediately: 'perhaps' }, ['immediately']]],
  createRefund: [
    [
      'POST /v1/orders/:order/refunds',
      {
        items: [
          { itemId: nowhere('order_item_'), amount: { value: '1', currency: 'EUR' } },
          { itemId: ':line', amount: { value: '9999.00', currency: 'EUR' }, description: '' },
          { itemId: ':line', amount: dollars },
        ],
        metadata: 5,
      },
      [
        'items.0.itemId',
        'items.0.amount.value',
        'items.1.amount',
        'items.1.description',
        'items.2.amount.currency',
        'metadata',
      ],
    ],
  ],
  createPortalSession: [
    ['POST /v1/customers/:customer/portal-sessions', { returnUrl: 'http://shop.example' }, ['returnUrl']],
  ],
  createFullRefund: [['POST /v1/orders/:unpaid/refunds/full', { metadata: 5 }, ['orderId', 'metadata']]],
  changeSubscription: [
    [
      'PATCH /v1/subscriptions/:subscription',
      { quantity: 0, price: dollars, anchor: '2020-01-01' },
      ['quantity', 'price.currency', 'anchor'],
    ],
    [
      'PATCH /v1/subscriptions/:subscription',
      { quantity: 2, price: dollars, anchor: '2020-01-01', subscriptionPlanId: ':inclusive' },
      ['price.currency', 'anchor', 'subscriptionPlanId'],
    ],
    [
      'PATCH /v1/subscriptions/:subscription',
      {
        quantity: 999_999,
        price: { value: '999999.99', currency: 'EUR' },
        trialUntil: '2020-01-01T00:00:00Z',
        prorate: 1,
      },
      ['quantity', 'trialUntil', 'prorate'],
    ],
    [
      'PATCH /v1/subscriptions/:subscription',
      { anchor: '2020-01-01', trialUntil: '2020-01-01T00:00:00Z', resetAnchor: true },
      ['subscriptionPlanId', 'anchor', 'trialUntil', 'resetAnchor'],
    ],
  ],
  previewSubscriptionChange: [
    [
      'POST /v1/subscriptions/:subscription/preview',
      { quantity: 0, price: dollars, asOf: 'now' },
      ['quantity', 'price.currency', 'asOf'],
    ],
  ],
  previewCheckout: [
    [
      'POST /v1/checkouts/preview',
      { products: [{ id: nowhere('one_off_product_'), quantity: 0 }], country: 'nl' },
      ['products.0.id', 'products.0.quantity', 'country'],
    ],
  ],
  createPaymentLink: [
    [
      'POST /v1/payment-links',
      { name: '', items: [{ id: nowhere('one_off_product_'), quantity: 0 }], redirectUrlSuccess: 'x', locale: 'tlh' },
      ['name', 'items.0.id', 'items.0.quantity', 'redirectUrlSuccess', 'locale'],
    ],
  ],
  updatePaymentLink: [
    ['PATCH /v1/payment-links/:paymentLink', { active: 'yes', name: '', metadata: 5 }, ['active', 'name', 'metadata']],
  ],
  setPaymentBehavior: [
    [
      'POST /v1/test-helpers/subscriptions/:subscription/payment-behavior',
      { outcome: 'perhaps', failureReason: 'bad mood', times: 0 },
      ['outcome', 'failureReason', 'times'],
    ],
  ],
  createBillingUpdateLink: [
    [
      'POST /v1/subscriptions/:subscription/billing-update-link',
      { redirectUrlSuccess: 'x', billingAddress: { country: 'nl', city: 5 } },
      ['redirectUrlSuccess', 'redirectUrlCanceled', 'billingAddress.country', 'billingAddress.city'],
    ],
  ],
  createWebhookEndpoint: [
    [
      'POST /v1/webhook-endpoints',
      { url: ':url', secret: 'short', enabledEvents: ['no'] },
      ['url', 'secret', 'enabledEvents.0'],
    ],
    ['POST /v1/webhook-endpoints', { url: 'https://10.0.0.1/x', secret: 'short' }, ['url', 'secret']],
  ],
  updateWebhookEndpoint: [
    ['PATCH /v1/webhook-endpoints/:other', { url: ':url', secret: 'short' }, ['url', 'secret']],
    ['PATCH /v1/webhook-endpoints/:other', { url: 'https://10.0.0.1', enabledEvents: 'all' }, ['url', 'enabledEvents']],
  ],
  advanceTestClock: [
    ['POST /v1/test-helpers/clock/advance', { by: 'soon', to: '2020-01-01T00:00:00Z' }, ['by', 'to']],
    ['POST /v1/test-helpers/clock/advance', { by: 'P2000Y', to: 'later' }, ['by', 'to']],
  ],
  fastForwardRenewal: [
    [
      'POST /v1/test-helpers/subscriptions/:subscription/fast-forward-renewal',
      { paymentStatus: 'perhaps', failureReason: 'card_expired' },
      ['paymentStatus', 'failureReason'],
    ],
    [
      'POST /v1/test-helpers/subscriptions/:pending/fast-forward-renewal',
      { paymentStatus: 'paid', failureReason: 'bad mood' },
      ['paymentStatus', 'failureReason'],
    ],
  ],
  simulatePayment: [
    [
      'POST /v1/test-helpers/orders/:order/simulate-payment',
      { paymentStatus: 'perhaps', failureReason: 'bad mood' },
      ['orderId', 'paymentStatus', 'failureReason'],
    ],
  ],
}

describe('all problems of a body', () => {
  test('the test of error reports has invalid bodies for every endpoint with a request body', () => {
    const withBody = [...endpoints.values()].filter(({ body }) => body).map(({ id }) => id)
    expect(Object.keys(refused).sort()).toEqual(withBody.sort())
  })

  test.each(
    Object.entries(refused).flatMap(([id, each]) => each.map(([line, ...rest]) => [id, line, ...rest] as const)),
  )(
    'the operation %s reports all problems in one response: %s with the body %j gets errors on the fields %j',
    async (_, line, body, fields) => {
      const before = await subscriptionOf(scenario)
      const reply = await send(filled([line])[0] ?? '', { key: scenario.key, body: filled(body) })
      expect(reply.status, JSON.stringify(reply.body)).toBe(422)
      expect(Object.keys(reply.body.errors ?? {}).sort()).toEqual([...fields].sort())
      expect(await subscriptionOf(scenario)).toEqual(before)
    },
  )
})

describe('all problems of a query', () => {
  const lists: [string, Endpoint][] = [...endpoints].filter(([at, { query }]) => at.startsWith('GET ') && query)

  test.each(lists)('one response of %s reports all invalid query parameters', async (at, { query }) => {
    const path = at
      .replace('GET ', '')
      .replace(/customers\/\[\w+\]/, `customers/${(await subscriptionOf(scenario)).customerId}`)
      .replace('[id]', ids.order ?? '')
    const fields = Object.keys((query as unknown as { shape: object }).shape)
    const reply = await send(`GET ${path}?${fields.map((field) => `${field}=x`).join('&')}`, { key: scenario.key })
    expect(reply.status).toBe(422)
    const refused = fields.filter((field) => field !== 'entityId')
    expect(Object.keys(reply.body.errors).sort()).toEqual(refused.sort())
    expect(reply.body.errors.limit).toEqual(['Must be an integer from 1 to 100.'])
  })
})
