// This file is longer than 400 lines, because it has an entry for each endpoint.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureReasons } from '@/lib/modules/payments/rules/failure.ts'
import { allRows } from '@/lib/testing/all-rows.ts'
import { isLongForm } from '@/lib/testing/amount.ts'
import { endpoints, type Sent, send } from '@/lib/testing/api.ts'
import * as kind from '@/lib/testing/bad-values.ts'
import * as factories from '@/lib/testing/factories.ts'
import { aWorld, type Noun, type World } from '@/lib/testing/world.ts'

interface Entry {
  readonly ids?: Record<string, Noun>
  readonly body?: (world: World) => object
  /** The invalid and valid values of the body's fields, by dot path. */
  readonly fields?: Record<string, kind.Kind>
  readonly lists?: Noun
  /** Invalid values of a list's filters, with a text that the error message contains. */
  readonly filters?: Record<string, { values: string[]; says: string }>
  readonly undo?: (answer: { id: string }) => string
}

const needed = (fields: Record<string, kind.Kind>) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, { ...one, required: true }]))

const planFields = {
  name: kind.text(3, 255),
  description: kind.text(1, 2000, { multiline: true }),
  basePrice: kind.euros(),
  productType: kind.oneOf(['saas'], { says: 'Must be "saas".' }),
  interval: kind.oneOf(['day', 'week', 'month', 'year']),
  intervalCount: kind.count(1, 12),
}
const { interval, intervalCount, ...itemFields } = planFields
const productFields = { ...itemFields, productType: kind.oneOf(['saas', 'ebook']) }
const taxBehavior = kind.oneOf(['exclusive', 'inclusive'])
const customerFields = { email: kind.email(), name: kind.text(0, 255, { nullable: true }) }
const includeArchived = { values: ['yes', '1', 'TRUE', '', 'true ', '\u0000'], says: 'Must be "true" or "false".' }
const email = {
  values: ['', 'ada', 'ada@localhost', 'a b@x.com', 'ada@xn--a.com', '\u0000@x.com'],
  says: 'email address',
}

const idsOf = (prefix: string) => ({
  values: ['', `${prefix}1`, `webhook_${'0'.repeat(22)}`, `${prefix}${'0'.repeat(23)}`, '\u0000'],
  says: `Must be an id that begins with ${prefix}.`,
})
const customerId = idsOf('customer_')
const subscriptionId = idsOf('subscription_')
const subscriptionPlanId = idsOf('subscription_plan_')
const status = { values: ['', 'unheard_of', 'PAID', 'paid ', '\u0000'], says: 'Must be one of ' }
const entityId = { values: ['', 'x'.repeat(101), '\u0000'], says: 'Must ' }
const moment = {
  values: ['', 'today', '2027-02-30', '2027-01-01T25:00:00Z', '3000-01-01', '1 January 2027', '\u0000'],
  says: 'Must be an ISO 8601 timestamp or day',
}

/** A field without valid test values, because a valid request would simulate an outcome and change the payment. */
const unspent = (values: readonly string[], nullable = true): kind.Kind => ({
  ...kind.oneOf(values, { nullable }),
  good: [],
})

const urlOrNull: kind.Kind = {
  ...kind.redirectUrl,
  bad: kind.redirectUrl.bad.filter(({ value }) => value !== null),
  required: false,
}

const leftOver: kind.Bad = {
  value: factories.price('8.01'),
  says: 'the refundable amount of the line, before tax: 8.00 EUR.',
}
const refundAmount = kind.amount({
  good: ['0.01', '8.00'],
  less: ['0.00'],
  least: '0.01',
  more: ['100000000.00'],
  most: '99999999.99',
})
const refundFields = {
  items: kind.list(100, 0),
  'items.0': kind.anObject,
  'items.0.itemId': kind.reference(['order_item_'], { required: true }, 'The order has no line with this id.'),
  'items.0.amount': { ...refundAmount, bad: [...refundAmount.bad, leftOver], required: true },
  'items.0.description': kind.text(1, 255, { nullable: true }),
  'items.0.descriptionAdditionalLine': kind.text(1, 255, { nullable: true }),
  metadata: kind.metadata,
}
const cancelRefund = ({ id, originalOrderId }: { id: string; originalOrderId?: string }) =>
  `DELETE /v1/orders/${originalOrderId}/refunds/${id}`

const changeFields: Record<string, kind.Kind> = {
  subscriptionPlanId: kind.reference(['subscription_plan_'], { nullable: true }),
  quantity: { ...kind.count(1, 999_999), bad: kind.count(1, 999_999).bad.filter(({ value }) => value !== null) },
  price: { ...kind.euros({ nullable: true }), good: [{ value: '0.01', currency: 'EUR' }] },
  prorate: kind.flag,
  applyImmediately: kind.flag,
  invoiceImmediately: kind.flag,
  resetAnchor: kind.flag,
  anchor: kind.dayAhead,
  trialUntil: kind.momentAhead,
  asOf: kind.momentBefore,
}
/**
 * Matches errors that depend on stored data or the time. A preview of a change with such an error gets 200 and states
 * the error, while the change itself gets 422.
 */
const byRule = /does not exist|Must be a day after|Must be in the future/
const malformed = ([name, one]: [string, kind.Kind]): [string, kind.Kind] => [
  name,
  {
    ...one,
    bad: one.bad.filter(({ value, says = '' }) => !byRule.test(says) && !JSON.stringify(value)?.includes('USD')),
  },
]
const checkoutItems = {
  products: kind.list(50, { id: kind.someId('one_off_product_') }),
  'products.0': kind.anObject,
  'products.0.id': kind.reference(['one_off_product_', 'subscription_plan_'], { required: true }),
  'products.0.quantity': kind.count(1, 999_999),
  'products.0.price': kind.euros({ nullable: true }),
  'products.0.trialDays': kind.count(0, 730, { nullable: true }),
  'products.0.metadata': kind.metadata,
}

/** The last endpoint deletes rows that the other endpoints need, so it must stay last. */
const table: Record<string, Entry> = {
  'GET /v1/subscription-plans': { lists: 'plan', filters: { includeArchived } },
  'POST /v1/subscription-plans': {
    body: () => factories.planBody(),
    fields: { ...needed(planFields), taxBehavior },
  },
  'GET /v1/subscription-plans/[id]': { ids: { id: 'plan' } },
  'PATCH /v1/subscription-plans/[id]': {
    ids: { id: 'plan' },
    body: () => ({ name: 'Pro II', interval: 'month', intervalCount: 2 }),
    fields: { ...planFields, interval: { ...interval, good: ['month'] } },
  },
  'POST /v1/subscription-plans/[id]/archive': { ids: { id: 'plan' } },
  'DELETE /v1/subscription-plans/[id]/archive': { ids: { id: 'plan' } },

  'GET /v1/one-off-products': { lists: 'product', filters: { includeArchived } },
  'POST /v1/one-off-products': {
    body: () => factories.productBody(),
    fields: { ...needed(productFields), taxBehavior },
  },
  'GET /v1/one-off-products/[id]': { ids: { id: 'product' } },
  'PATCH /v1/one-off-products/[id]': {
    ids: { id: 'product' },
    body: () => ({ name: 'Handbook II' }),
    fields: productFields,
  },
  'POST /v1/one-off-products/[id]/archive': { ids: { id: 'product' } },
  'DELETE /v1/one-off-products/[id]/archive': { ids: { id: 'product' } },

  'GET /v1/customers': { lists: 'customer', filters: { email } },
  'POST /v1/customers': {
    body: () => ({ email: 'new@example.com', name: 'New' }),
    fields: { ...customerFields, email: kind.email({ required: true }), metadata: kind.metadata },
  },
  'GET /v1/customers/[id]': { ids: { id: 'customer' } },
  'PATCH /v1/customers/[id]': {
    ids: { id: 'customer' },
    body: () => ({ name: 'Renamed' }),
    fields: { ...customerFields, email: { ...kind.email(), good: ['moved@example.com'] } },
  },

  'POST /v1/customers/[id]/portal-sessions': {
    ids: { id: 'customer' },
    body: () => ({ returnUrl: 'https://shop.example/account' }),
    fields: { returnUrl: kind.returnUrl },
  },

  'GET /v1/checkouts': { lists: 'checkout', filters: { customerId, status } },
  'POST /v1/checkouts/preview': {
    body: ({ ids }) => ({ products: [{ id: ids.plan }], country: 'NL' }),
    fields: {
      ...checkoutItems,
      country: { required: true, bad: ['nl', 'NLD', 'XX', '', 7, true, null].map((value) => ({ value })) },
      postalCode: kind.text(0, 20, { nullable: true }),
      currency: { bad: ['eur', 'XXX', '', 7, true, {}].map((value) => ({ value })), good: ['EUR'] },
    },
  },
  'POST /v1/checkouts': {
    body: ({ ids }) => factories.checkoutBody(ids.plan, { customerId: ids.customer }),
    fields: {
      ...checkoutItems,
      redirectUrlSuccess: kind.redirectUrl,
      redirectUrlCanceled: kind.redirectUrl,
      metadata: kind.metadata,
      customerId: kind.reference(['customer_'], { nullable: true }),
      billingAddress: kind.address,
      locale: kind.locale,
    },
  },
  'GET /v1/checkouts/[id]': { ids: { id: 'checkout' } },

  'GET /v1/payment-links': { lists: 'paymentLink', filters: { active: includeArchived } },
  'POST /v1/payment-links': {
    body: ({ ids }) =>
      factories.paymentLinkBody(ids.plan, { items: [{ id: ids.plan, minQuantity: 1, maxQuantity: 2 }] }),
    fields: {
      name: { ...kind.text(1, 255), required: true },
      items: kind.list(50, { id: kind.someId('one_off_product_') }),
      'items.0': kind.anObject,
      'items.0.id': kind.reference(['one_off_product_', 'subscription_plan_'], { required: true }),
      'items.0.quantity': { ...kind.count(1, 999_999), good: [1, 2] },
      'items.0.minQuantity': { ...kind.count(1, 999_999, { nullable: true }), good: [1] },
      'items.0.maxQuantity': { ...kind.count(1, 999_999, { nullable: true }), good: [2, 999_999] },
      'items.0.price': kind.euros({ nullable: true }),
      'items.0.trialDays': kind.count(0, 730, { nullable: true }),
      'items.0.metadata': kind.metadata,
      redirectUrlSuccess: urlOrNull,
      locale: kind.locale,
      metadata: kind.metadata,
    },
  },
  'GET /v1/payment-links/[id]': { ids: { id: 'paymentLink' } },
  'PATCH /v1/payment-links/[id]': {
    ids: { id: 'paymentLink' },
    body: () => ({ name: 'Pricing page, Team' }),
    fields: {
      active: kind.flag,
      name: kind.text(1, 255),
      redirectUrlSuccess: urlOrNull,
      metadata: kind.metadata,
    },
  },

  'GET /v1/orders': {
    lists: 'order',
    filters: { customerId, subscriptionId, status, createdAfter: moment, createdBefore: moment },
  },
  'GET /v1/orders/[id]': { ids: { id: 'order' } },
  'POST /v1/orders/[id]/invoice-update-link': { ids: { id: 'sale' } },

  'GET /v1/refunds': { lists: 'refund', filters: { customerId, status } },
  'GET /v1/refunds/[id]': { ids: { id: 'refund' } },
  'GET /v1/orders/[id]/refunds': {
    ids: { id: 'sale' },
    lists: 'refund',
    filters: { customerId, status },
  },
  'POST /v1/orders/[id]/refunds': {
    ids: { id: 'sale' },
    body: ({ ids }) => ({ items: [{ itemId: ids.saleLine, amount: factories.price('0.50') }] }),
    fields: refundFields,
    undo: cancelRefund,
  },
  'POST /v1/orders/[id]/refunds/full': {
    ids: { id: 'sale' },
    fields: { metadata: kind.metadata },
    undo: cancelRefund,
  },
  'GET /v1/orders/[id]/refunds/[refundId]': { ids: { id: 'sale', refundId: 'refund' } },
  'DELETE /v1/orders/[id]/recovery': { ids: { id: 'sale' } },
  'DELETE /v1/orders/[id]/refunds/[refundId]': { ids: { id: 'sale', refundId: 'refund' } },

  'GET /v1/chargebacks': { lists: 'chargeback', filters: { customerId, status } },
  'GET /v1/chargebacks/[id]': { ids: { id: 'chargeback' } },
  'GET /v1/orders/[id]/chargebacks': {
    ids: { id: 'sale' },
    lists: 'chargeback',
    filters: { customerId, status },
  },
  'GET /v1/orders/[id]/chargebacks/[chargebackId]': { ids: { id: 'sale', chargebackId: 'chargeback' } },

  'GET /v1/subscriptions': { lists: 'subscription', filters: { customerId, subscriptionPlanId, status } },
  'GET /v1/subscriptions/[id]': { ids: { id: 'subscription' } },
  'GET /v1/customers/[id]/subscriptions': {
    ids: { id: 'customer' },
    lists: 'subscription',
    filters: { subscriptionPlanId, status },
  },
  'GET /v1/customers/[id]/subscriptions/[subscriptionId]': { ids: { id: 'customer', subscriptionId: 'subscription' } },

  'POST /v1/subscriptions/[id]/billing-update-link': {
    ids: { id: 'subscription' },
    body: () => ({
      redirectUrlSuccess: 'https://shop.example/done',
      redirectUrlCanceled: 'https://shop.example/back',
      billingAddress: { city: 'Delft' },
    }),
    fields: {
      redirectUrlSuccess: kind.redirectUrl,
      redirectUrlCanceled: kind.redirectUrl,
      billingAddress: kind.address,
    },
  },
  'PATCH /v1/subscriptions/[id]': {
    ids: { id: 'subscription' },
    body: () => ({ quantity: 2 }),
    fields: changeFields,
  },
  'POST /v1/subscriptions/[id]/preview': {
    ids: { id: 'subscription' },
    body: () => ({ quantity: 2 }),
    fields: { ...Object.fromEntries(Object.entries(changeFields).map(malformed)), asOf: kind.momentBefore },
  },
  'POST /v1/test-helpers/subscriptions/[id]/fast-forward-renewal': {
    ids: { id: 'subscription' },
    body: () => ({ paymentStatus: 'failed' }),
    fields: { paymentStatus: unspent(['paid', 'failed']), failureReason: unspent(failureReasons) },
  },
  'POST /v1/test-helpers/orders/[id]/simulate-payment': {
    ids: { id: 'order' },
    body: () => ({ paymentStatus: 'failed' }),
    fields: {
      paymentStatus: { ...unspent(['paid', 'failed'], false), required: true },
      failureReason: unspent(failureReasons),
    },
  },
  'DELETE /v1/subscriptions/[id]': { ids: { id: 'subscription' } },
  'POST /v1/subscriptions/[id]/resume': { ids: { id: 'subscription' } },

  'GET /v1/webhook-events': {
    lists: 'event',
    filters: { eventName: status, entityId, createdAfter: moment, createdBefore: moment },
  },
  'GET /v1/webhook-events/[id]': { ids: { id: 'event' } },
  'GET /v1/webhook-endpoints': { lists: 'webhook' },
  'POST /v1/webhook-endpoints': {
    body: ({ hook }) => factories.webhookBody(hook()),
    fields: { ...needed({ url: kind.webhookUrl, secret: kind.secret }), enabledEvents: kind.events },
    undo: ({ id }) => `DELETE /v1/webhook-endpoints/${id}`,
  },
  'GET /v1/webhook-endpoints/[id]': { ids: { id: 'webhook' } },
  'PATCH /v1/webhook-endpoints/[id]': {
    ids: { id: 'webhook' },
    body: ({ hook }) => ({ url: hook() }),
    fields: { url: kind.webhookUrl, secret: kind.secret, enabledEvents: kind.events },
  },

  'POST /v1/webhook-endpoints/[id]/ping': { ids: { id: 'webhook' } },

  'POST /v1/test-helpers/subscriptions/[id]/payment-behavior': {
    ids: { id: 'subscription' },
    body: () => ({ outcome: 'failed' }),
    fields: {
      outcome: { ...kind.oneOf(['paid', 'failed']), required: true },
      failureReason: kind.oneOf(failureReasons, { nullable: true }),
      times: kind.count(1, 100, { nullable: true }),
    },
  },
  'GET /v1/test-helpers/clock': {},
  'POST /v1/test-helpers/clock/advance': { body: () => ({ by: 'PT1S' }), fields: { by: kind.duration } },

  'DELETE /v1/webhook-endpoints/[id]': { ids: { id: 'webhook' } },
}

const entries = Object.entries(table)
let world: World
let before: Record<string, string>
beforeAll(async () => {
  world = await aWorld()
  before = await allRows()
})
afterAll(() => world.close())

const filled = (at: string, ids: Record<string, string> = {}): string =>
  at.replace(/\[(\w+)\]/g, (_, name) => encodeURIComponent(ids[name] ?? world.ids[table[at]?.ids?.[name] ?? 'plan']))

const otherCase = (id: string): string =>
  id.slice(0, -22) +
  id
    .slice(-22)
    .replaceAll(/[A-Za-z]/g, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )

const notOfItsKind = (own: string): string[] => [
  ...Object.values(world.ids).filter((id) => id.slice(0, -22) !== own.slice(0, -22)),
  ...Object.values(world.foreign),
]

function changed(body: object, field: string, value: unknown): object {
  const copy = structuredClone(body)
  const path = field.split('.')
  const last = path.pop() ?? ''
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all shapes
  const parent = path.reduce<any>((place, name) => place[name], copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

const shown = (value: unknown) => {
  const json = JSON.stringify(value) ?? 'missing'
  return json.length > 60 ? `${json.slice(0, 50)}… (${json.length})` : json
}

/**
 * Returns every fourth value, because all endpoints handle these values with the same code. Consecutive endpoints begin
 * at different values, so that the endpoints together try every value. If `isLongForm` is true, returns all values.
 */
const some = <Value>(values: readonly Value[], at: string): readonly Value[] => {
  const begin = entries.findIndex(([each]) => each === at)
  return isLongForm ? values : values.filter((_, index) => (index + begin) % 4 === 0)
}

/**
 * Returns the invalid values that one field tries. Fields that refuse the same values share the code that checks
 * these values. So each of these fields tries only some of the values, with at least one value for each rule.
 * Together, the fields try every value. If
 * `isLongForm` is true, each field tries all values.
 */
function valuesOf(at: string, field: string): readonly kind.Bad[] {
  const { bad = [], required } = table[at]?.fields?.[field] ?? {}
  const parts = rulesOf(bad).map(([rule, values]) => {
    const users = usersOf.get(rule) ?? []
    const parts = Math.min(users.length, values.length)
    const part = users.indexOf(`${at} ${field}`) % parts
    return isLongForm ? values : values.filter((_, index) => index % parts === part)
  })
  return [...(required ? [{ value: undefined }] : []), ...parts.flat()]
}

/** The invalid values by their rule. The first item of an entry identifies the rule and its values. */
function rulesOf(bad: readonly kind.Bad[]): [rule: string, values: kind.Bad[]][] {
  const rules = new Map<string, kind.Bad[]>()
  for (const one of bad) {
    const rule = `${one.at} ${one.says}`
    rules.set(rule, [...(rules.get(rule) ?? []), one])
  }
  const random = /_[0-9A-Za-z]{22}"/g // the ids of `kind.someId` differ at each call
  return [...rules.values()].map((values) => [kind.toJson(values).replace(random, '_"'), values])
}

/** The endpoints and fields that refuse the same values by the same rule. */
const usersOf = new Map<string, string[]>()
for (const [at, { fields = {} }] of entries)
  for (const [field, { bad }] of Object.entries(fields))
    for (const [rule] of rulesOf(bad)) usersOf.set(rule, [...(usersOf.get(rule) ?? []), `${at} ${field}`])

const testIf = (applies: unknown) => (applies ? test : () => {})

test('the test of invalid requests has an entry for every endpoint', () => {
  expect(entries.map(([at]) => at).sort()).toEqual([...endpoints.keys()].sort())
})

describe.each(entries)(
  '%s refuses invalid requests',
  (at, { fields = {}, ids = {}, lists, filters = {}, body: bodyOf = () => ({}) }) => {
    const writes = !at.startsWith('GET ')
    const valid = () => (writes ? bodyOf(world) : undefined)
    const ask = (changes: Sent = {}, line = filled(at)) => send(line, { key: world.key, ...changes })
    const refused = async (status: number, code: string, changes: Sent, line?: string) => {
      const reply = await ask(changes, line)
      if (reply.status !== status || reply.body?.code !== code) {
        const which = `${line ?? ''} ${shown(changes.body)} ${shown(changes.headers)} -> ${JSON.stringify(reply.body)}`
        expect({ status: reply.status, code: reply.body?.code }, which.slice(0, 2000)).toEqual({ status, code })
      }
      return reply.body
    }

    afterAll(async () => {
      expect(await allRows()).toEqual(before)
      expect(world.received.splice(0)).toEqual([])
    })

    test.each(Object.keys(fields))(
      'an invalid value of the field %s is refused with an error that names the field and the rule',
      async (field) => {
        for (const { value, says = '', at: below } of valuesOf(at, field)) {
          const names = below === undefined ? field : `${field}.${below}`
          const body = await refused(422, 'validation_failed', {
            body: kind.toJson(changed(bodyOf(world), field, value)),
          })
          const sentences = expect.arrayContaining([expect.stringContaining(says)])
          expect(body.errors, shown(value)).toEqual({ [names]: sentences })
        }
      },
    )

    const required = Object.keys(fields).filter((field) => fields[field]?.required && !field.includes('.'))
    testIf(required.length > 0)('an empty body is refused with the name of every missing field', async () => {
      for (const body of [undefined, '', {}, '{"toString": 1}']) {
        const { errors } = await refused(422, 'validation_failed', { body })
        expect(Object.keys(errors).sort()).toEqual([...required].sort())
      }
    })

    test.each(Object.entries(ids))('a request with an invalid path parameter %s gets 404', async (name, noun) => {
      const own = world.ids[noun]
      const prefix = own.slice(0, -22)
      // biome-ignore format: one line of ids that name nothing here
      const none = [kind.someId(prefix), otherCase(own), own.slice(0, -1), `${own}0`, own.slice(prefix.length), prefix, `${own}\u0000`, `${own}\n`,
      ...notOfItsKind(own),
      '0', '-1', 'null', '%', '\u0000', '\u{1f600}', '..', '../orders', "' OR 1=1 --", '__proto__', 'x'.repeat(5000)]
      for (const id of some(none, at)) await refused(404, 'not_found', { body: valid() }, filled(at, { [name]: id }))
      await refused(404, 'not_found', { body: valid() }, filled(at, { [name]: 'HERE' }).replace('HERE', '%E0%A4%A'))
    })

    testIf(Object.keys(ids).length > 0)(
      'an id of another mode or storefront gets the same 404 as an unknown id',
      async () => {
        const nothing = Object.entries(ids).map(([name, noun]) => [name, kind.someId(world.ids[noun].slice(0, -22))])
        const absent = await refused(404, 'not_found', { body: valid() }, filled(at, Object.fromEntries(nothing)))
        const { testKey, liveKey } = world.other
        // A test-only endpoint is called with a test key only. With a live key, it returns its own error before any
        // lookup.
        for (const key of endpoints.get(at)?.testOnly ? [testKey] : [world.liveKey, testKey, liveKey]) {
          const body = await refused(404, 'not_found', { key, body: valid() })
          expect({ ...body, requestId: '' }).toEqual({ ...absent, requestId: '' })
        }
      },
    )

    test('a request without a valid key gets 401, even if the path, body, or query is invalid', async () => {
      const { key } = world
      // biome-ignore format: one line of invalid headers
      const headers = ['', 'Bearer', 'Bearer ', key, `Basic ${btoa(`${key}:`)}`, `Token ${key}`, `Bearer x ${key}`, `Bearer ${key} x`, `Bearer ${key},${key}`,
      ...[...world.deadKeys, key.slice(0, -1), `${key}0`, key.replace('test', 'live'), key.toUpperCase(), 'x'.repeat(5000), 'caf\u00e9'].map((token) => `Bearer ${token}`)]
      const body = writes ? '{' : undefined
      await refused(401, 'unauthenticated', { key: undefined, body })
      for (const authorization of some(headers, at)) {
        await refused(401, 'unauthenticated', { key: undefined, body, headers: { authorization } })
      }
    })

    testIf(endpoints.get(at)?.testOnly)('a live key is refused', async () => {
      await refused(403, 'test_mode_only', { key: world.liveKey, body: valid() })
    })

    testIf(writes)('a body that is not a JSON object is refused', async () => {
      const json = JSON.stringify(valid())
      // biome-ignore format: one line of bodies that are not JSON
      const malformed = ['{', '}', '{}}', 'undefined', "{'a': 1}", '{"a": 1,}', '{a: 1}', '{"a": NaN}', '{"a": 01}', '{"a": "\\x"}', '{"a": "\n"}', '{} {}', ' ',
      '\u0000', `${json}\u0000`, '['.repeat(10_000), '{"a":'.repeat(10_000), 'a=1&b=2', '<xml/>', Uint8Array.of(0x7b, 0xff, 0x7d), Uint8Array.of(0xff, 0xfe, 0x7b, 0)]
      for (const body of some(malformed, at)) await refused(400, 'malformed_json', { body })
      const deep = '['.repeat(10_000) + ']'.repeat(10_000)
      for (const body of some(['[]', `[${json}]`, '"text"', '7', 'true', 'null', deep], at))
        await refused(400, 'not_an_object', { body })
    })

    testIf(writes)('a body with another content type is refused', async () => {
      // biome-ignore format: one line of types that are not JSON
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'text/json', 'application/jsonp', 'application/javascript', 'json', '*/*', '']
      for (const type of some(types, at)) {
        await refused(415, 'unsupported_media_type', { body: valid(), headers: { 'content-type': type } })
      }
    })

    testIf(writes)('a body over 1 MB is refused, with or without a declared length', async () => {
      const padded = (bytes: number) => JSON.stringify(valid()).padEnd(bytes, ' ')
      const ways = [1_048_577, 2_097_152].flatMap((bytes): (() => Sent)[] => [
        () => ({ body: padded(bytes) }),
        () => ({ body: padded(bytes), headers: { 'content-length': String(bytes) } }),
        () => ({ body: new Blob([padded(bytes)]).stream() }),
      ])
      for (const way of some(ways, at)) await refused(413, 'body_too_large', way())
    })

    testIf(writes)('a field with 10,000 nested levels is refused, even an unknown field', async () => {
      const deep = ['['.repeat(10_000) + ']'.repeat(10_000), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`]
      for (const field of ['unknown', '__proto__', ...Object.keys(bodyOf(world))]) {
        for (const value of deep) {
          const body = JSON.stringify({ ...bodyOf(world), LAST: 0 }).replace('"LAST":0', `"${field}":${value}`)
          const { errors } = await refused(422, 'validation_failed', { body })
          expect(Object.entries(errors)).toEqual([[field, ['Must not be nested deeper than 32 levels.']]])
        }
      }
    })

    testIf(writes && !at.endsWith('/preview'))('an invalid idempotency key is refused', async () => {
      for (const value of ['', 'a b', 'a\tb', 'k'.repeat(256), 'caf\u00e9', '\u00a0']) {
        const { errors } = await refused(422, 'validation_failed', {
          body: valid(),
          headers: { 'idempotency-key': value },
        })
        expect(errors).toEqual({ 'Idempotency-Key': ['Must have 1 to 255 visible ASCII characters.'] })
      }
    })

    testIf(lists)('an invalid cursor or limit is refused', async () => {
      const own = world.ids[lists ?? 'plan']
      const others = notOfItsKind(own)
      // biome-ignore format: one line of invalid cursors
      const cursors = [...others, '', ' ', '0', kind.someId(own.slice(0, -22)), own.slice(0, -1), otherCase(own), `${own}\u0000`, '\u0000', "'", '__proto__', 'x'.repeat(5000)]
      // biome-ignore format: one line of invalid limits
      const limits = ['0', '101', '-1', '1.5', 'abc', '', ' 5', '5 ', '+5', '1e1', '0x10', '\u0661', '9'.repeat(20), 'NaN', 'null', '[]', '\u0000']
      const wrong = {
        limit: { values: some(limits, at), says: 'Must be an integer from 1 to 100.' },
        startingAfter: { values: some(cursors, at), says: 'Must be the id of a resource of this list.' },
        endingBefore: { values: some(cursors, at), says: 'Must be the id of a resource of this list.' },
        ...filters,
      }
      const asked = async (query: Record<string, string>) =>
        (await refused(422, 'validation_failed', {}, `${filled(at)}?${new URLSearchParams(query)}`)).errors
      for (const [name, { values, says }] of Object.entries(wrong)) {
        for (const value of values)
          expect(await asked({ [name]: value })).toEqual({ [name]: [expect.stringContaining(says)] })
      }
      expect(Object.keys(await asked({ startingAfter: own, endingBefore: own }))).toEqual([
        'startingAfter',
        'endingBefore',
      ])
      const several = Object.fromEntries(['limit', ...Object.keys(filters)].map((name) => [name, '']))
      expect(Object.keys(await asked(several))).toEqual(Object.keys(several))
    })
  },
)

/** Omits the endpoint that cancels a recovery, because a recovery can be canceled only once. `lib/workflows/recovery/change.db.test.ts` tests this endpoint. */
const repeatable = entries.filter(([at]) => at !== 'DELETE /v1/orders/[id]/recovery')

describe.each(repeatable)(
  '%s accepts valid requests',
  (at, { fields = {}, body: bodyOf = () => ({}), lists, undo }) => {
    const writes = !at.startsWith('GET ')
    const taken = async (changes: Sent = {}, line = filled(at)) => {
      const reply = await send(line, { key: world.key, ...changes })
      expect(reply.status, `${shown(changes.body)} -> ${JSON.stringify(reply.body)}`).toBeLessThan(300)
      if (undo) expect((await send(undo(reply.body), { key: world.key })).status).toBe(204)
      return reply.body
    }

    const limits = Object.entries(fields).filter(([, { good = [] }]) => good.length > 0)
    test.each(limits)('the field %s accepts the values at its limits', async (field, { good = [] }) => {
      for (const value of good) await taken({ body: kind.toJson(changed(bodyOf(world), field, value)) })
    })

    testIf(lists)('the limits 1 and 100 are applied, even with leading zeros', async () => {
      const list = async (limit: string) => (await taken({}, `${filled(at)}?limit=${limit}`)).data
      const all = await list('100')
      for (const limit of ['1', '001']) expect(await list(limit)).toEqual(all.slice(0, 1))
      expect(all.length).toBeGreaterThan(0)
    })

    testIf(!writes)('GET accepts any idempotency key and ignores the key', async () => {
      for (const value of ['', 'a b', 'k'.repeat(256)]) await taken({ headers: { 'idempotency-key': value } })
    })

    test('a request with unknown body fields succeeds, and the response does not contain these fields', async () => {
      const junk =
        '"unknown":1,"constructor":{"prototype":{"polluted":true}},"__proto__":{"polluted":true,"name":7,"email":7,"to":7}'
      const body = writes
        ? JSON.stringify(bodyOf(world)).replace(/^{(.?)/, (_, next) => `{${junk}${next === '}' ? '' : ','}${next}`)
        : undefined
      const answer = await taken({ body })
      expect(JSON.stringify(answer ?? '').replace(/"href":"[^"]*"/g, '')).not.toMatch(/unknown|polluted/)
      expect({}).not.toHaveProperty('polluted')
    })
  },
)
