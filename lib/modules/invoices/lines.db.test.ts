import { afterAll, describe, expect, test } from 'vitest'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { tokenOf } from '../../testing/shop.ts'
import {
  ask,
  clockTo,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { move, raise } from '../../workflows/chargeback/operations.ts'
import { invoiceView } from './load-invoice.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

// biome-ignore lint/suspicious/noExplicitAny: responses have different shapes
type Answer = any

/** The kind of space in formatted numbers differs between versions of Node.js. */
const read = (text: string) => text.replaceAll(/\s/g, ' ')

async function linesOf(order: Answer): Promise<string[][]> {
  const document = (await invoiceView(tokenOf(order.links.customerInvoice.href)))?.document
  return (document?.lines ?? []).map(({ description, notes }) => [description, ...notes].map(read))
}
const scenarioInTheMorning = (options: Parameters<typeof subscriptionScenario>[0] = {}) =>
  subscriptionScenario({ at: '2027-01-01T10:00:00Z', ...options })
async function changed(scenario: Scenario, body: object): Promise<void> {
  const reply = await ask(scenario, 'PATCH /v1/subscriptions/{id}', { applyImmediately: true, ...body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
}
const lastOf = async (scenario: Scenario) => (await ordersOf(scenario)).at(-1)
const described = (order: Answer): string[] => order.lines.map(({ description }: Answer) => read(description))

describe('service period', () => {
  test('invoices state the service period of a subscription, and no service period for a product', async () => {
    const scenario = await subscriptionScenario({ at: '2026-11-20T10:00:00Z' })
    expect(await linesOf(await lastOf(scenario))).toEqual([['Pro', 'Service period: 20 Nov – 20 Dec 2026']])
    await clockTo(scenario.key, '2026-12-20T11:00:00Z')
    expect(await linesOf(await lastOf(scenario))).toEqual([['Pro', 'Service period: 20 Dec 2026 – 20 Jan 2027']])
    const { id } = await factories.aProduct(scenario.key)
    await factories.pay(scenario.key, await factories.aCheckout(scenario.key, id))
    expect(await linesOf(await lastOf(scenario))).toEqual([['Handbook']])
  })

  test('if a service period ends at midnight, its last day is the previous day', async () => {
    const scenario = await scenarioInTheMorning({ checkout: { locale: 'de' } })
    await changed(scenario, { quantity: 2, anchor: '2027-01-21', prorate: false })
    await clockTo(scenario.key, '2027-01-21T01:00:00Z')
    expect((await linesOf(await lastOf(scenario)))[0]).toEqual(['Pro', 'Leistungszeitraum: 21.01. – 20.02.2027'])
  })

  test('the service period starts with the payment and excludes the trial', async () => {
    const scenario = await scenarioInTheMorning({ item: { trialDays: 14 } })
    await clockTo(scenario.key, '2027-01-15T11:00:00Z')
    expect(await linesOf(await lastOf(scenario))).toEqual([['Pro', 'Service period: 15 Jan – 15 Feb 2027']])
  })

  test('shortening a service period does not change an issued invoice', async () => {
    const scenario = await scenarioInTheMorning()
    const [first] = await ordersOf(scenario)
    const issued = await linesOf(first)
    await clockTo(scenario.key, '2027-01-11T00:00:00Z')
    await changed(scenario, { quantity: 2, anchor: '2027-01-21', prorate: false })
    expect(await linesOf(first)).toEqual(issued)
  })
})

describe('proration', () => {
  test('both lines of a proration state the change of the terms and the service period', async () => {
    const scenario = await scenarioInTheMorning({ item: { quantity: 3 } })
    await clockTo(scenario.key, '2027-01-16T12:00:00Z')
    await changed(scenario, { quantity: 5, invoiceImmediately: true })
    const order = await lastOf(scenario)
    const notes = ['Service period: 16 Jan – 1 Feb 2027', 'Quantity changed from 3 to 5']
    expect(await linesOf(order)).toEqual([
      ['Unused time on 3 × Pro', ...notes],
      ['Remaining time on 5 × Pro', ...notes],
    ])
    expect(described(order)).toEqual([
      'Unused time on 3 × Pro, 16 Jan – 1 Feb 2027',
      'Remaining time on 5 × Pro, 16 Jan – 1 Feb 2027',
    ])
    expect(Object.keys(order.lines[0]).sort()).toEqual(
      'basePrice description id links metadata productId productType quantity resource subtotal taxes total'.split(' '),
    )
  })

  test('a renewal invoice states a proration that is charged with the renewal', async () => {
    const scenario = await scenarioInTheMorning()
    await clockTo(scenario.key, '2027-01-16T12:00:00Z')
    await changed(scenario, { price: factories.price('120.00') })
    await clockTo(scenario.key, '2027-02-01T11:00:00Z')
    const notes = ['Service period: 16 Jan – 1 Feb 2027', 'Price changed from €100.00 to €120.00']
    expect(await linesOf(await lastOf(scenario))).toEqual([
      ['Pro', 'Service period: 1 Feb – 1 Mar 2027'],
      ['Unused time on 1 × Pro', ...notes],
      ['Remaining time on 1 × Pro', ...notes],
    ])
  })

  test('the proration of a plan change that begins a new period names both plans', async () => {
    const scenario = await scenarioInTheMorning()
    const yearly = { name: 'Yearly', interval: 'year', basePrice: factories.price('1000.00') }
    const { id: subscriptionPlanId } = await factories.aPlan(scenario.key, yearly)
    await clockTo(scenario.key, '2027-01-16T12:00:00Z')
    await changed(scenario, { subscriptionPlanId })
    const toYearly = 'Plan changed from Pro to Yearly'
    expect(await linesOf(await lastOf(scenario))).toEqual([
      ['Unused time on 1 × Pro', 'Service period: 16 Jan – 1 Feb 2027', toYearly],
      ['Yearly', 'Service period: 16 Jan 2027 – 16 Jan 2028', toYearly],
    ])
  })
})

describe('credit note', () => {
  const german = { checkout: { locale: 'de' } }

  async function refunded(scenario: Scenario, path: string, body: object): Promise<Answer> {
    const [order] = await ordersOf(scenario)
    const reply = await ask(scenario, `POST /v1/orders/${order.id}/${path}`, body)
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    await pass(scenario, 'PT2M')
    const { orderId } = await get(scenario.key, `/v1/refunds/${reply.body.id}`)
    return get(scenario.key, `/v1/orders/${orderId}`)
  }
  const itemOf = async (scenario: Scenario) => ({
    itemId: (await ordersOf(scenario))[0].lines[0].id,
    amount: factories.price('10.00'),
  })
  const january = 'Leistungszeitraum: 01.01. – 01.02.2027'

  test('the line of a partial credit note is called a refund, in the buyer’s language on the document and in English in the API', async () => {
    const scenario = await scenarioInTheMorning(german)
    const note = await refunded(scenario, 'refunds', { items: [await itemOf(scenario)] })
    expect(await linesOf(note)).toEqual([['Pro (Erstattung)', january]])
    expect(described(note)).toEqual(['Pro (Refund)'])
  })

  test('a credit note shows the merchant’s description and additional line unchanged', async () => {
    const scenario = await scenarioInTheMorning(german)
    const item = { ...(await itemOf(scenario)), descriptionAdditionalLine: 'Wie besprochen' }
    const note = await refunded(scenario, 'refunds', { items: [{ ...item, description: 'Kulanz (Refund)' }] })
    expect(await linesOf(note)).toEqual([['Kulanz (Refund) Wie besprochen', january]])
    const other = await refunded(scenario, 'refunds', { items: [item] })
    expect(await linesOf(other)).toEqual([['Pro (Erstattung) Wie besprochen', january]])
    expect(described(other)).toEqual(['Pro (Refund) Wie besprochen'])
  })

  test('a credit note of the full remaining amount calls its line a full refund', async () => {
    const note = await refunded(await scenarioInTheMorning(german), 'refunds/full', {})
    expect(await linesOf(note)).toEqual([['Pro (vollständige Erstattung)', january]])
    expect(described(note)).toEqual(['Pro (Full refund)'])
  })

  test('a credit note of a chargeback calls its line a chargeback', async () => {
    const scenario = await scenarioInTheMorning(german)
    const { chargebackId } = await raise((await ordersOf(scenario))[0].id, { reason: 'fraud' })
    const { creditNoteId } = await move(chargebackId, 'lost')
    const note = await get(scenario.key, `/v1/orders/${creditNoteId}`)
    expect(await linesOf(note)).toEqual([['Pro (Rückbuchung)', january]])
    expect(described(note)).toEqual(['Pro (Chargeback)'])
  })
})

describe('reverse charge', () => {
  test.each([
    ['DE', 'DE1', /Article 196/],
    ['CH', 'CH1', /^Reverse charge: the tax is to be accounted for by the customer\.$/],
  ])(
    'an invoice with reverse charge to a buyer in %s states the note of that country',
    async (country, taxId, note) => {
      const scenario = await scenarioInTheMorning({ buyer: { country, taxId } })
      const document = (await invoiceView(tokenOf((await lastOf(scenario)).links.customerInvoice.href)))?.document
      expect(document?.closing[0]).toMatch(note)
    },
  )
})
