import { expect } from 'vitest'
import type { ChargebackStatus } from '../../modules/chargebacks/rules/index.ts'
import { createPayout } from '../../modules/payouts/operations.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { type Journey, testKillAtEachCommit } from '../../testing/kill-at-each-commit.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { nothingReversed, type SaleOutcome, saleOutcome } from '../../testing/sale-outcome.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { buyerForm, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { pass } from '../../testing/subscription-scenario.ts'
import { move, raise } from '../chargeback/operations.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { failAtBank } from './operations.ts'

/** The end result for an order of 100.00 plus 21.00 tax. Omitted fields have the values of an order without any reversal. */
type End = Partial<SaleOutcome> & Pick<SaleOutcome, 'refundable' | 'books'>

const journey = <Given>(journey: Journey<Sale, End, Given>) => journey as Journey<Sale, End>

const sold = { merchant_balance: '-94.50', platform_fee: '-5.50', provider_clearing: '121.00', tax_payable: '-21.00' }
const disputed = { merchant_balance: '20.50', platform_fee: '-5.50', provider_fees: '-15.00' }

const keyed = { 'Idempotency-Key': 'once' }
async function request({ key }: Sale, line: string, body?: object): Promise<string> {
  const reply = await send(line, { key, headers: keyed, ...(body && { body }) })
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  return reply.body?.id
}
const refund = (sale: Sale, value: string) =>
  request(sale, `POST /v1/orders/${sale.orderId}/refunds`, {
    items: [{ itemId: sale.lines[0]?.id, amount: factories.price(value) }],
  })

async function aboutToPay({ key }: Sale): Promise<string> {
  const product = await factories.aProduct(key, { basePrice: factories.price('100.00') })
  const link = tokenOf((await factories.aCheckout(key, product.id)).links.checkoutUrl.href)
  expect(await checkoutPage(link, germanVisitor)).toMatchObject({ state: 'open' })
  const next = await submitCheckout(link, buyerForm({ country: 'NL' }), germanVisitor)
  return tokenOf(next?.redirectTo ?? '')
}

async function moveOnce(id: string, to: ChargebackStatus): Promise<void> {
  const ours = await db().chargebacks.findUniqueOrThrow({ where: { id } })
  const atProvider = await db().sandbox_chargebacks.findUniqueOrThrow({ where: { ref: ours.provider_ref } })
  if (ours.status !== to && atProvider.status !== to) await move(id, to)
  await runDueTasks()
}

const journeys: Record<string, Journey<Sale, End>> = {
  'the creation of a refund': journey({
    begin: async () => undefined,
    killed: (sale) => refund(sale, '60.00'),
    ends: { refunds: ['pending'], refundable: '40.00', books: sold },
  }),
  'the cancellation of a refund': journey({
    begin: (sale) => refund(sale, '60.00'),
    killed: (sale, id) => request(sale, `DELETE /v1/orders/${sale.orderId}/refunds/${id}`),
    ends: { refunds: ['canceled'], refundable: '100.00', events: ['refund.canceled'], books: sold },
  }),
  'a refund at the end of its window': journey({
    begin: async (sale) => {
      await refund(sale, '60.00')
      await advanceWithoutTasks(sale, { minutes: 1 })
    },
    killed: () => runDueTasks(),
    ends: {
      refunds: ['refunded'],
      bank: ['refunded'],
      reversed: '60.00',
      refundable: '40.00',
      creditNotes: 1,
      events: ['refund.completed'],
      books: { merchant_balance: '-37.80', platform_fee: '-2.20', provider_clearing: '48.40', tax_payable: '-8.40' },
    },
  }),
  'a refund that waited for the next sale': journey({
    begin: async (sale) => {
      await createPayout(sale.tenant, { amount: '94.50' })
      await refund(sale, '100.00')
      await pass(sale, 'PT1M')
      return aboutToPay(sale)
    },
    killed: async (_, token) => {
      await chooseOutcome(token, new URLSearchParams({ outcome: 'paid' }))
      await runDueTasks()
    },
    ends: {
      refunds: ['refunded'],
      bank: ['refunded'],
      reversed: '100.00',
      refundable: '0.00',
      creditNotes: 1,
      events: ['checkout.paid', 'order.paid', 'refund.completed'],
      books: { payouts: '-94.50', platform_fee: '-5.50', provider_clearing: '121.00', tax_payable: '-21.00' },
    },
  }),
  'a refund that the bank refuses': journey({
    begin: async (sale) => {
      await failAtBank(await refund(sale, '60.00'))
      await advanceWithoutTasks(sale, { minutes: 1 })
    },
    killed: () => runDueTasks(),
    ends: { refunds: ['failed'], bank: ['failed'], refundable: '100.00', events: ['refund.failed'], books: sold },
  }),
  'a new chargeback': journey({
    begin: async () => undefined,
    killed: async ({ orderId, tenant }) => {
      const isKnown = await db().sandbox_chargebacks.count({ where: { storefront_id: tenant.storefrontId } })
      if (!isKnown) await raise(orderId, { reason: 'fraud' })
      await runDueTasks()
    },
    ends: {
      chargebacks: ['pending'],
      reversed: '100.00',
      refundable: '0.00',
      events: ['order.chargeback_received'],
      books: {
        ...disputed,
        merchant_balance: '41.50',
        provider_clearing: '121.00',
        tax_payable: '-21.00',
        chargebacks: '-121.00',
      },
    },
  }),
  'the loss of a chargeback': journey({
    begin: async ({ orderId }) => (await raise(orderId, { reason: 'fraud' })).chargebackId,
    killed: (_, id) => moveOnce(id, 'lost'),
    ends: {
      chargebacks: ['lost'],
      reversed: '100.00',
      refundable: '0.00',
      creditNotes: 1,
      events: ['order.chargeback_received'],
      books: disputed,
    },
  }),
  'the win of a chargeback': journey({
    begin: async ({ orderId }) => (await raise(orderId, { reason: 'fraud' })).chargebackId,
    killed: (_, id) => moveOnce(id, 'won'),
    ends: {
      chargebacks: ['won'],
      refundable: '100.00',
      events: ['order.chargeback_received', 'order.chargeback_reversed'],
      books: { ...sold, merchant_balance: '-79.50', provider_fees: '-15.00' },
    },
  }),
  'the acceptance of a chargeback over more than was sold': journey({
    begin: async ({ orderId }) => (await raise(orderId, { amount: '121.01', reason: 'fraud' })).chargebackId,
    killed: (_, id) => moveOnce(id, 'accepted'),
    ends: {
      chargebacks: ['accepted'],
      reversed: '100.00',
      refundable: '0.00',
      creditNotes: 1,
      events: ['order.chargeback_received'],
      books: disputed,
    },
  }),
  'the rejection of a chargeback over more than was sold': journey({
    begin: async ({ orderId }) => (await raise(orderId, { amount: '121.01', reason: 'fraud' })).chargebackId,
    killed: (_, id) => moveOnce(id, 'rejected'),
    ends: {
      chargebacks: ['rejected'],
      refundable: '100.00',
      events: ['order.chargeback_received', 'order.chargeback_reversed'],
      books: sold,
    },
  }),
  'a payout': journey({
    begin: async () => undefined,
    killed: async ({ tenant }) => {
      const cause = 'payout.created'
      const isBooked = await db().ledger_entries.count({ where: { storefront_id: tenant.storefrontId, cause } })
      if (!isBooked) await createPayout(tenant, { amount: '50.00' })
    },
    ends: { refundable: '100.00', books: { ...sold, merchant_balance: '-44.50', payouts: '-50.00' } },
  }),
}

testKillAtEachCommit(journeys, {
  begin: () => aSale({ price: '100.00' }),
  endOf: saleOutcome,
  whole: (ends: End) => ({ ...nothingReversed, ...ends }),
  places: 1,
})
