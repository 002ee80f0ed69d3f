import { afterEach, describe, expect, it, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { statementRows } from '../../modules/ledger/statement.ts'
import { db } from '../../platform/db/db.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { balanceOf } from '../../testing/money-back.ts'
import { sameBeginning } from '../../testing/same-beginning.ts'
import { billingToken, chooseMethod } from '../../testing/scenarios.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { move } from '../chargeback/operations.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { declineMandate, returnDebits } from '../test-helpers/mandates.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

/** The renewal is paid on 1 July. The bank returns the debit on 6 July. */
const returned = sameBeginning(async (code?: string): Promise<Scenario> => {
  const buyer = { paymentMethod: 'ideal', taxId: '' }
  const scenario = await subscriptionScenario({ at: '2027-06-01T00:00:00Z', buyer })
  expect(await returnDebits(scenario.id, code)).toMatchObject({ returns: code ?? 'AM04' })
  await pass(scenario, 'P1M1D')
  expect(await renewalOf(scenario)).toMatchObject({ status: 'paid', reversedSubtotal: price('0.00') })
  await pass(scenario, 'P5D')
  await acceptDebits(scenario)
  return scenario
})

async function acceptDebits(scenario: Scenario) {
  if ((await subscriptionOf(scenario)).mandate) await declineMandate(scenario.id, null)
}

const renewalOf = async (scenario: Scenario) => (await ordersOf(scenario))[1]
const recoveryOf = async (scenario: Scenario) => db().recoveries.findFirst({ where: { subscription_id: scenario.id } })
const emailKinds = async ({ shop }: Scenario) => (await listEmails(shop.storefrontId)).map(({ kind }) => kind).reverse()
const balances = ({ shop }: Scenario) => balanceOf({ tenant: shop.scope })

test('the return code AM04 makes the order unpaid, keeps its invoice number, and starts a recovery with retries', async () => {
  const scenario = await returned('AM04')
  const order = await renewalOf(scenario)
  expect(order).toMatchObject({
    status: 'pending',
    invoiceNumber: 'TEST-INV-2027-000002',
    refundableSubtotal: { value: '0.00' },
    reversedSubtotal: { value: '0.00' },
  })
  expect((await eventsOf(scenario.shop)).slice(-2)).toEqual(['order.paid', 'order.payment_failed'])
  expect(await recoveryOf(scenario)).toMatchObject({
    status: 'open',
    kind: 'soft',
    failure_reason: 'insufficient_funds',
    order_id: order.id,
  })
  expect(await ordersOf(scenario)).toHaveLength(2)
  expect((await get(scenario.key, '/v1/chargebacks')).data).toEqual([])
  expect((await emailKinds(scenario)).slice(-1)).toEqual(['payment_failed'])
  expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active' })
  // The bank returns the debit of one of two sales of 119.00 and charges a fee. The tax of both invoices stays payable.
  expect(await balances(scenario)).toEqual({
    merchant_balance: '-68.00',
    platform_fee: '-5.50',
    provider_clearing: '119.00',
    provider_fees: '-7.50',
    tax_payable: '-38.00',
  })
})

test('after a returned debit, our payment records match the provider’s records', async () => {
  const { shop } = await returned()
  expect(await reconcile(shop.scope)).toMatchObject([{ provider: '119.00', unexplained: '0.00' }])
})

test('a retry after a returned debit pays the original order and invoice, and the receipt is sent again', async () => {
  const scenario = await returned()
  await pass(scenario, 'P2DT1H')
  expect(await renewalOf(scenario)).toMatchObject({ status: 'paid', invoiceNumber: 'TEST-INV-2027-000002' })
  expect((await eventsOf(scenario.shop)).slice(-2)).toEqual(['order.payment_failed', 'order.paid'])
  expect((await emailKinds(scenario)).slice(-1)).toEqual(['payment_recovered'])
  expect(await balances(scenario)).toEqual({
    merchant_balance: '-181.50',
    platform_fee: '-11.00',
    provider_clearing: '238.00',
    provider_fees: '-7.50',
    tax_payable: '-38.00',
  })
})

describe('a statement', () => {
  const moved = { payouts: '0.00', currency: 'EUR' }
  const rowsOf = async ({ shop }: Scenario, period: string) =>
    (await statementRows(shop.scope, period)).filter(({ count }) => count !== null)
  const expectClosed = async (scenario: Scenario, period: string) => {
    const closing = (await statementRows(scenario.shop.scope, period)).find(({ item }) => item === 'closing')
    expect(`-${closing?.balance}`).toBe((await balances(scenario)).merchant_balance)
    expect(await reconcile(scenario.shop.scope)).toMatchObject([{ unexplained: '0.00' }])
  }
  const sale = { ...moved, item: 'order', count: 1, buyers: '119.00', taxes: '-19.00', fees: '-5.50', balance: '94.50' }

  test('a statement lists a returned debit in a row of its own, and not as a dispute', async () => {
    const scenario = await returned()
    const row = {
      ...moved,
      item: 'return',
      count: 1,
      buyers: '-119.00',
      taxes: '0.00',
      fees: '-2.00',
      balance: '-121.00',
    }
    expect(await rowsOf(scenario, '2027-07')).toMatchObject([sale, row])
    await expectClosed(scenario, '2027-07')
  })

  test('a statement counts an order once if its returned debit is paid in the same month', async () => {
    const scenario = await returned()
    await pass(scenario, 'P2DT1H')
    const row = { ...moved, item: 'return', count: 1, buyers: '0.00', taxes: '0.00', fees: '-7.50', balance: '-7.50' }
    expect(await rowsOf(scenario, '2027-07')).toMatchObject([sale, row])
    await expectClosed(scenario, '2027-07')
  })

  test('a statement lists the write-off after a returned debit as a returned debit, and not as a sale', async () => {
    const scenario = await returned()
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P30D')
    const row = {
      ...moved,
      item: 'return',
      count: 1,
      buyers: '-119.00',
      taxes: '19.00',
      fees: '-2.00',
      balance: '-102.00',
    }
    expect(await rowsOf(scenario, '2027-Q3')).toMatchObject([sale, row])
    await expectClosed(scenario, '2027-Q3')
  })
})

test('a second returned debit makes the order unpaid again', async () => {
  const scenario = await returned()
  await returnDebits(scenario.id)
  await pass(scenario, 'P2DT1H')
  expect(await renewalOf(scenario)).toMatchObject({ status: 'paid' })
  await pass(scenario, 'P5D')
  expect(await renewalOf(scenario)).toMatchObject({ status: 'pending' })
  expect(await recoveryOf(scenario)).toMatchObject({ status: 'open', kind: 'soft' })
})

test('if a returned debit stays unpaid, the order gets a credit note and the subscription ends', async () => {
  const scenario = await returned()
  await declineMandate(scenario.id, 'insufficient_funds')
  await pass(scenario, 'P22D')
  const [, order, note, ...more] = await ordersOf(scenario)
  expect(more).toEqual([])
  expect(order).toMatchObject({ status: 'canceled', invoiceNumber: 'TEST-INV-2027-000002' })
  expect(note).toMatchObject({ invoiceNumber: 'TEST-CN-2027-000001', total: { value: '119.00' }, status: 'paid' })
  expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
  expect((await eventsOf(scenario.shop)).slice(-2)).toEqual(['order.canceled', 'subscription.canceled_for_nonpayment'])
  const [email] = (await listEmails(scenario.shop.storefrontId)).filter(({ kind }) => kind === 'refund')
  expect(email?.text).toContain('Your bank returned the direct debit of')
  expect(await balances(scenario)).toEqual({
    merchant_balance: '-87.00',
    platform_fee: '-5.50',
    provider_clearing: '119.00',
    provider_fees: '-7.50',
    tax_payable: '-19.00',
  })
})

test('the return code AC04 starts a recovery without retries, and a charge of a new payment method pays the original invoice', async () => {
  const scenario = await returned('AC04')
  expect(await recoveryOf(scenario)).toMatchObject({ kind: 'hard', failure_reason: 'account_closed' })
  expect((await emailKinds(scenario)).slice(-1)).toEqual(['payment_method_needed'])
  await chooseMethod(await billingToken(scenario), 'creditcard')
  await drainTasks()
  expect(await renewalOf(scenario)).toMatchObject({ status: 'paid', invoiceNumber: 'TEST-INV-2027-000002' })
})

describe('a debit returned at the request of the customer', () => {
  it.each([
    ['MD06', 'subscription_canceled', 'customer_request'],
    ['SL01', 'subscription_canceled', 'customer_request'],
    ['MD01', 'fraud', 'payment_failure'],
  ])(
    'a debit returned with the code %s is a chargeback for %s and ends the subscription',
    async (code, reason, cancellationReason) => {
      const scenario = await returned(code)
      expect((await get(scenario.key, '/v1/chargebacks')).data).toMatchObject([{ reason }])
      expect(await renewalOf(scenario)).toMatchObject({ status: 'paid' })
      await pass(scenario, 'P1D')
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason })
    },
  )
})

test('a won chargeback from a returned debit stays won after the deadline of the dispute', async () => {
  const scenario = await returned('MD06')
  const [{ id }] = (await get(scenario.key, '/v1/chargebacks')).data
  await move(id, 'won')
  await pass(scenario, 'P2D')
  expect((await get(scenario.key, '/v1/chargebacks')).data).toMatchObject([{ status: 'won' }])
})
