import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventNames } from '../../modules/events/event-types.ts'
import { createPayout } from '../../modules/payouts/operations.ts'
import { db } from '../../platform/db/db.ts'
import { moveChargeback, raiseChargeback } from '../../providers/sandbox/money-back.ts'
import * as factories from '../../testing/factories.ts'
import { failpoints } from '../../testing/failpoints.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { aReceiver, type Receiver } from '../../testing/receiver.ts'
import { nothingReversed, type SaleOutcome, saleOutcome } from '../../testing/sale-outcome.ts'
import { type KillHarness, startKillHarness } from '../../testing/sigkill.ts'
import { pass } from '../../testing/subscription-scenario.ts'
import { answerDispute, checkedEvidence } from '../chargeback/answer.ts'
import { raise } from '../chargeback/operations.ts'
import { createFull, failAtBank } from './operations.ts'

let harness: KillHarness
let receiver: Receiver

beforeAll(async () => {
  receiver = await aReceiver()
  harness = await startKillHarness(receiver)
})

afterAll(() => Promise.all([harness.close(), receiver.close()]))

interface Journey {
  readonly before?: (sale: Sale) => Promise<unknown>
  readonly asked?: true
  readonly ends: Partial<SaleOutcome> & Pick<SaleOutcome, 'refundable' | 'books'>
}

const sold = { merchant_balance: '-94.50', platform_fee: '-5.50', provider_clearing: '121.00', tax_payable: '-21.00' }
const lost = {
  chargebacks: ['lost'],
  reversed: '100.00',
  refundable: '0.00',
  creditNotes: 1,
  events: ['order.chargeback_received'],
  books: { merchant_balance: '20.50', platform_fee: '-5.50', provider_fees: '-15.00' },
}

const pendingDispute = {
  ...lost,
  chargebacks: ['pending'],
  creditNotes: 0,
  books: {
    ...lost.books,
    merchant_balance: '41.50',
    provider_clearing: '121.00',
    tax_payable: '-21.00',
    chargebacks: '-121.00',
  },
}

/** Creates the dispute at the provider, but not in our database. Returns the provider's reference. */
async function disputedAtBank({ tenant }: Sale): Promise<string> {
  const { ref } = await db().sandbox_payments.findFirstOrThrow({ where: { storefront_id: tenant.storefrontId } })
  const amount = { minor: 12_100n, currency: 'EUR' as const }
  return raiseChargeback(tenant, ref, { amount, reason: 'fraud' })
}

const journeys: Record<string, Journey> = {
  'a refund from its request to the end of its window': {
    asked: true,
    ends: {
      refunds: ['refunded'],
      bank: ['refunded'],
      reversed: '100.00',
      refundable: '0.00',
      creditNotes: 1,
      events: ['refund.completed'],
      books: {},
    },
  },
  'a refund that the bank refuses': {
    before: async ({ tenant, orderId }) => failAtBank((await createFull(tenant, orderId, {})).id),
    ends: { refunds: ['failed'], bank: ['failed'], refundable: '100.00', events: ['refund.failed'], books: sold },
  },
  'a refund that waited for the next sale': {
    before: async (sale) => {
      await createPayout(sale.tenant, { amount: '94.50' })
      await createFull(sale.tenant, sale.orderId, {})
      await pass(sale, 'PT1M')
      const product = await factories.aProduct(sale.key, { basePrice: factories.price('100.00') })
      await factories.pay(sale.key, await factories.aCheckout(sale.key, product.id))
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
  },
  'a dispute that the provider reports': { before: disputedAtBank, ends: pendingDispute },
  'the merchant’s answer to a dispute': {
    before: async ({ tenant, orderId }) => {
      const { chargebackId } = await raise(orderId, { reason: 'fraud' })
      await answerDispute(tenant, chargebackId, checkedEvidence({ statement: 'It was used.', files: [] }))
    },
    ends: { ...pendingDispute, chargebacks: ['evidence_submitted'] },
  },
  'a dispute that is lost': {
    before: async (sale) => {
      const { chargebackId } = await raise(sale.orderId, { reason: 'fraud' })
      const { provider_ref } = await db().chargebacks.findUniqueOrThrow({ where: { id: chargebackId } })
      await moveChargeback(sale.tenant, provider_ref, 'lost')
    },
    ends: lost,
  },
  'a dispute that is won before its first update is applied': {
    before: async (sale) => moveChargeback(sale.tenant, await disputedAtBank(sale), 'won'),
    ends: {
      chargebacks: ['won'],
      refundable: '100.00',
      events: ['order.chargeback_received', 'order.chargeback_reversed'],
      books: { ...sold, merchant_balance: '-79.50', provider_fees: '-15.00' },
    },
  },
}

let sales = 0

async function begin({ before }: Journey) {
  const sale = await aSale({ price: '100.00' })
  const path = `/hook?${++sales}`
  await factories.anEndpoint(sale.key, `${receiver.url}?${sales}`, { enabledEvents: eventNames })
  await before?.(sale)
  return { sale, path, storefrontId: sale.tenant.storefrontId }
}

async function endOf({ sale, path }: Awaited<ReturnType<typeof begin>>): Promise<SaleOutcome> {
  const end = await saleOutcome(sale)
  expect(receiver.eventsAt(path)).toEqual(end.events)
  return end
}

describe('a process killed during a refund or dispute', () => {
  it.each(Object.entries(journeys))(
    'a kill of the process at any point of %s does not change the result',
    (_name, journey) =>
      harness.killAtEachPlace({
        begin: () => begin(journey),
        ...(journey.asked && { refund: ({ sale }: { sale: Sale }) => sale.orderId }),
        by: { minutes: 1 },
        endOf,
        ends: { ...nothingReversed, ...journey.ends },
      }),
  )

  it('the tests killed a process at every failpoint of refunds and chargebacks', () => {
    const places = failpoints.filter((point) => /^(?:refund|chargeback|task|transaction)\./.test(point))
    expect(harness.points()).toEqual([...places].sort())
  })
})
