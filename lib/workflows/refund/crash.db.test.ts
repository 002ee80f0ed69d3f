import { expect } from 'vitest'
import type { ChargebackStatus } from '../../modules/chargebacks/rules/index.ts'
import { createPayout } from '../../modules/payouts/operations.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { type Journey, testKillAtEachCommit } from '../../testing/kill-at-each-commit.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { nothingReversed, type SaleOutcome, saleOutcome } from '../../testing/sale-outcome.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { move, raise } from '../chargeback/operations.ts'

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
