import type Stripe from 'stripe'
import { expect, it, vi } from 'vitest'
import { settlements } from './books.ts'
import type { Ask } from './client.ts'

vi.mock('./store.ts', () => ({ refsOfIntents: async () => new Map([['pi_1', 'cs_1']]) }))

const page = (data: readonly object[]) => ({ data, has_more: false })
const account =
  (
    payouts: readonly { readonly id: string; readonly in?: readonly object[]; readonly [more: string]: unknown }[],
  ): Ask =>
  async (request) =>
    request({
      payouts: { list: async () => page(payouts) },
      balanceTransactions: {
        list: async ({ payout }: { payout: string }) => page(payouts.find(({ id }) => id === payout)?.in ?? []),
      },
    } as unknown as Stripe)

const payout = {
  id: 'po_1',
  amount: 0,
  currency: 'eur',
  automatic: true,
  reconciliation_status: 'completed',
  status: 'paid',
  arrival_date: 1_800_000_000,
  statement_descriptor: 'BILLHOOK',
  trace_id: null,
}
const moved = (reporting_category: string, amount: number, fee = 0, source: object | null = null) => ({
  reporting_category,
  type: reporting_category,
  amount,
  fee,
  net: amount - fee,
  source,
})
const ofBuyer = { metadata: { payment: 'payment_1' }, amount: 11_900, currency: 'sek', status: 'succeeded' }
const charge = { id: 'ch_1', ...ofBuyer, amount_refunded: 500 }
const refundedCharge = { id: 'ch_2', ...ofBuyer, amount_refunded: 11_900 }
const refund = { id: 're_1', metadata: { refund: 'refund_1' }, payment_intent: 'pi_1', amount: 500, currency: 'eur' }
const dispute = { id: 'du_1', payment_intent: 'pi_1', amount: 700, currency: 'eur', reason: 'fraudulent' }

async function read(ask: Ask) {
  const all = []
  for await (const each of (await settlements(ask, new Date(0))) ?? []) all.push(each)
  return all
}

it('a Stripe payout lists payments with our ids and in the buyer’s currency, and counts Stripe fees as costs', async () => {
  const inside = [
    moved('charge', 1_063, 41, charge),
    moved('charge', 0, 0, refundedCharge),
    moved('refund', -500, 0, { ...refund, status: 'succeeded' }),
    moved('dispute', -700, 2_000, { ...dispute, status: 'needs_response' }),
    moved('fee', -12),
    moved('payout', 2_190),
  ]
  const paid = { paymentId: 'payment_1', storefrontId: null, amount: '119.00 SEK', isPaid: true }
  expect(await read(account([{ ...payout, amount: -2_190, in: inside }]))).toEqual([
    {
      sums: {
        ref: 'po_1',
        reference: 'BILLHOOK',
        currency: 'EUR',
        status: 'paid',
        amount: -219_000n,
        revenue: -13_700n,
        costs: 205_300n,
      },
      settledAt: new Date('2027-01-15T08:00:00Z'),
      payments: [
        { ref: 'ch_1', ...paid, isRefunded: false },
        { ref: 'ch_2', ...paid, isRefunded: true },
      ],
      refunds: [
        {
          ref: 're_1',
          refundId: 'refund_1',
          paymentRef: 'cs_1',
          storefrontId: null,
          amount: '5.00 EUR',
          hasFailed: false,
        },
      ],
      chargebacks: [{ ref: 'cs_1/du_1', paymentRef: 'cs_1', amount: '7.00 EUR', isReversed: false }],
    },
  ])
})

it('a Stripe refund with a reversing transaction has failed, and a dispute with a reversing transaction was won', async () => {
  const [failed, won] = [
    { ...refund, status: 'failed' },
    { ...dispute, status: 'won' },
  ]
  const inside = [
    ...[moved('refund', -500, 0, failed), moved('refund_failure', 500, 0, failed)],
    ...[moved('dispute', -700, 2_000, won), moved('dispute_reversal', 700, 0, won)],
  ]
  const [settled] = await read(account([{ ...payout, amount: -2_000, in: inside }]))
  expect(settled).toMatchObject({
    sums: { amount: -200_000n, revenue: 0n, costs: 200_000n },
    refunds: [{ hasFailed: true }],
    chargebacks: [{ isReversed: true }],
  })
})

it.each([
  ['in_transit', 'pending', null],
  ['canceled', 'failed', null],
  ['failed', 'failed', null],
] as const)('a Stripe payout with the status %s becomes %s', async (status, ours, settledAt) => {
  const [settled] = await read(account([{ ...payout, status, trace_id: { status: 'supported', value: 'T1' } }]))
  expect(settled).toMatchObject({ sums: { status: ours, reference: 'T1' }, settledAt })
})

it('a Stripe payout is skipped if it is manual or not reconciled', async () => {
  const manual = { ...payout, automatic: false, reconciliation_status: 'not_applicable' }
  expect(await read(account([{ ...payout, reconciliation_status: 'in_progress' }, manual]))).toEqual([])
  expect(await settlements(account([manual]), new Date(0))).toBeNull()
  expect(await settlements(account([]), new Date(0))).not.toBeNull()
})
