import { afterAll, describe, expect, it } from 'vitest'
import { createPayout } from '../../modules/payouts/operations.ts'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import { claimDueTasks } from '../../platform/jobs/worker.ts'
import { raiseChargeback } from '../../providers/sandbox/money-back.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, aProduct, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, balanceOf, eventsAbout, type Sale } from '../../testing/money-back.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { type Reply, runDueTasks } from '../../testing/shop.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { move, raise, syncNow } from './operations.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const row = (table: string, id: string, by = 'id') => ({
  sql: `SELECT 1 FROM ${table} WHERE ${by} = $1 FOR UPDATE`,
  values: [id],
})
const order = ({ orderId }: Sale) => row('orders', orderId)
const account = ({ tenant }: Sale, name: string) => {
  const { sql, values } = row('ledger_accounts', tenant.storefrontId, 'storefront_id')
  return { sql: sql.replace('FOR', `AND account = '${name}' FOR`), values }
}
const balance = (sale: Sale) => account(sale, 'merchant_balance')

const orders = [0, 1]
const inOrder = <Racer>(racers: Racer[], first: number): Racer[] => (first ? racers.reverse() : racers)

/**
 * Runs the calls concurrently. Returns one value per call: the HTTP status of an API call, the status of any other
 * result, or the code of an error.
 */
async function race(hold: ReturnType<typeof row>, racers: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const ends = await raceBehind(hold, racers)
  return ends.map((end) =>
    end.status === 'fulfilled' ? (end.value as Partial<Reply> | undefined)?.status : end.reason.code,
  )
}

const byName = new Map(jobs.map((job) => [job.name, job]))

const refund = ({ key, orderId, lines }: Sale, value: string) => {
  const items = [{ itemId: lines[0]?.id, amount: price(value) }]
  return send(`POST /v1/orders/${orderId}/refunds`, { key, body: { items } })
}
const refundAll = ({ key, orderId }: Sale) => send(`POST /v1/orders/${orderId}/refunds/full`, { key })
const cancel = ({ key, orderId }: Sale, id: string) => send(`DELETE /v1/orders/${orderId}/refunds/${id}`, { key })
const dispute = ({ orderId }: Sale, amount?: string) => raise(orderId, { amount, reason: 'fraud' })
const statusOf = async ({ key }: Sale, id: string) => (await get(key, `/v1/refunds/${id}`)).status
const reversedOf = async ({ key, orderId }: Sale) => {
  const { reversedSubtotal, refundableSubtotal } = await get(key, `/v1/orders/${orderId}`)
  return { reversed: reversedSubtotal.value, refundable: refundableSubtotal.value }
}

describe('a refund', () => {
  it('concurrent cancellations of a refund cancel the refund once', async () => {
    const sale = await aSale({ price: '100.00' })
    const { id } = (await refund(sale, '60.00')).body
    const ends = await race(
      order(sale),
      Array.from({ length: 6 }, () => () => cancel(sale, id)),
    )
    expect(ends.sort()).toEqual([204, 422, 422, 422, 422, 422])
    expect(await eventsAbout(sale, /^refund/)).toEqual(['refund.canceled'])
    expect(await reversedOf(sale)).toEqual({ reversed: '0.00', refundable: '100.00' })
    await pass(sale, 'PT1M')
    expect(await statusOf(sale, id)).toBe('canceled')
  })

  it.each(orders)(
    'a refund at the end of its cancel window is canceled or sent, never both (sequence %i)',
    async (first) => {
      const sale = await aSale({ price: '100.00' })
      const { id } = (await refund(sale, '60.00')).body
      await advanceWithoutTasks(sale, { minutes: 1 })
      const canceled = () => cancel(sale, id)
      const ended = async () => void (await runDueTasks())
      const ends = await race(row('refunds', id), inOrder([canceled, ended], first))
      await drainTasks()
      const status = ends.find((end) => end !== undefined)
      const outcome = [status, await statusOf(sale, id), await eventsAbout(sale, /^refund/), await reversedOf(sale)]
      expect([
        [204, 'canceled', ['refund.canceled'], { reversed: '0.00', refundable: '100.00' }],
        [422, 'refunded', ['refund.completed'], { reversed: '60.00', refundable: '40.00' }],
      ]).toContainEqual(outcome)
      expect(await db().sandbox_refunds.count({ where: { idempotency_key: id } })).toBe(status === 204 ? 0 : 1)
    },
  )

  it.each(orders)(
    'a full dispute reverses the whole order if an earlier refund is canceled or fails (sequence %i)',
    async (first) => {
      const sale = await aSale({ price: '100.00' })
      const { id } = (await refund(sale, '60.00')).body
      const { chargebackId } = await dispute(sale)
      await aSale({ price: '500.00', shop: sale.shop })
      await advanceWithoutTasks(sale, { minutes: 1 })
      const canceled = () => cancel(sale, id)
      const ended = async () => void (await runDueTasks())
      const ends = await race(row('refunds', id), inOrder([canceled, ended], first))
      await drainTasks()
      // If the cancellation got 422, the refund was already sent. The bank then refuses the refund, because the
      // provider has withheld the disputed money.
      const sent = ends.find((end) => end !== undefined) === 422
      expect(await statusOf(sale, id)).toBe(sent ? 'failed' : 'canceled')
      expect(await get(sale.key, `/v1/chargebacks/${chargebackId}`)).toMatchObject({
        total: { value: '121.00' },
        settlementAmount: { value: '136.00' },
      })
      expect(await reversedOf(sale)).toEqual({ reversed: '100.00', refundable: '0.00' })
    },
  )

  it('concurrent workers send a refund to the provider once', async () => {
    const sale = await aSale({ price: '100.00' })
    const { id } = (await refund(sale, '60.00')).body
    await advanceWithoutTasks(sale, { minutes: 1 })
    for (const task of await claimDueTasks('work', 10, 90_000)) await runTask(byName, task)
    const [send, ...others] = await claimDueTasks('work', 10, 90_000)
    if (!send || others.length > 0) throw new Error('there is not one refund to send')
    const ran = Array.from({ length: 5 }, () => () => runTask(byName, send))
    const { ref } = await db().sandbox_payments.findFirstOrThrow({ where: { storefront_id: sale.tenant.storefrontId } })
    const ends = await raceBehind(row('sandbox_payments', ref, 'ref'), ran)
    expect(ends.filter((end) => end.status === 'fulfilled' && end.value)).toHaveLength(1)
    expect(await db().sandbox_refunds.count({ where: { idempotency_key: id } })).toBe(1)
    expect(await db().orders.count({ where: { credited_order_id: sale.orderId } })).toBe(1)
    expect(await eventsAbout(sale, /^refund/)).toEqual(['refund.completed'])
    expect(await reversedOf(sale)).toEqual({ reversed: '60.00', refundable: '40.00' })
  })

  it('only one of two concurrent refunds is created if their sum exceeds the amount of the line', async () => {
    const sale = await aSale({ price: '100.00' })
    const ends = await raceBehind(order(sale), [() => refund(sale, '60.00'), () => refund(sale, '60.00')])
    const replies = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(replies.find(({ status }) => status === 422)?.body.errors['items.0.amount']).toEqual([
      'Must be at most the refundable amount of the line, before tax: 40.00 EUR.',
    ])
    expect(await reversedOf(sale)).toEqual({ reversed: '0.00', refundable: '40.00' })
  })

  it.each(orders)(
    'if two concurrent refunds together cover a whole line, their taxes equal the taxes of the line (sequence %i)',
    async (first) => {
      const sale = await aSale({ price: '100.00', buyer: { country: 'CA' } })
      const racers = inOrder([() => refund(sale, '33.33'), () => refund(sale, '66.67')], first)
      expect(await race(order(sale), racers)).toEqual([201, 201])
      expect((await refund(sale, '0.01')).status).toBe(422)
      const { data } = await get(sale.key, `/v1/orders/${sale.orderId}/refunds`)
      const taxes = (rate: number): number =>
        data.reduce((sum: number, { taxSummary }: { taxSummary: { amount: { value: string } }[] }) => {
          return sum + Math.round(Number(taxSummary[rate]?.amount.value) * 100)
        }, 0)
      expect([taxes(0), taxes(1)]).toEqual([500, 998])
      await pass(sale, 'PT1M')
      expect(await reversedOf(sale)).toEqual({ reversed: '100.00', refundable: '0.00' })
      expect(await balanceOf(sale)).toEqual({})
    },
  )
})

it.each(orders)(
  'if the balance covers only one of two concurrent refunds, only one refund is sent (sequence %i)',
  async (first) => {
    const sale = await aSale({ price: '100.00' })
    const other = await aSale({ price: '100.00', shop: sale.shop })
    await createPayout(sale.tenant, { amount: '94.50' })
    const refunds = [(await refundAll(sale)).body.id, (await refundAll(other)).body.id]
    await advanceWithoutTasks(sale, { minutes: 1 })
    const due = await claimDueTasks('work', 10, 90_000)
    expect(due.map(({ name }) => name)).toEqual(['refund.window_end', 'refund.window_end'])
    const ends = await raceBehind(
      balance(sale),
      inOrder(
        due.map((task) => () => runTask(byName, task)),
        first,
      ),
    )
    expect(ends).toEqual([
      { status: 'fulfilled', value: true },
      { status: 'fulfilled', value: true },
    ])
    const statuses = async () => [await statusOf(sale, refunds[0]), await statusOf(sale, refunds[1])].sort()
    expect(await statuses()).toEqual(['processing', 'queued'])
    expect(await balanceOf(sale)).not.toHaveProperty('merchant_balance')
    await drainTasks()
    expect(await statuses()).toEqual(['queued', 'refunded'])
    await aSale({ price: '100.00', shop: sale.shop })
    expect(await statuses()).toEqual(['refunded', 'refunded'])
  },
)

describe('a dispute', () => {
  it.each(orders)(
    'if a dispute about half of an order is won during a full refund, the refund covers half or all of the order (sequence %i)',
    async (first) => {
      const sale = await aSale({ price: '100.00' })
      await aSale({ price: '100.00', shop: sale.shop })
      const { chargebackId } = await dispute(sale, '60.50')
      const racers = inOrder([() => move(chargebackId, 'won'), () => refundAll(sale)], first)
      expect((await race(order(sale), racers)).sort()).toEqual([201, 'won'])
      const [only, ...more] = (await get(sale.key, `/v1/orders/${sale.orderId}/refunds`)).data
      expect(more).toEqual([])
      expect([
        ['50.00', { reversed: '0.00', refundable: '50.00' }],
        ['100.00', { reversed: '0.00', refundable: '0.00' }],
      ]).toContainEqual([only.subtotal.value, await reversedOf(sale)])
      await pass(sale, 'PT1M')
      expect(await statusOf(sale, only.id)).toBe('refunded')
      expect(await eventsAbout(sale, /chargeback|refund/)).toEqual([
        'order.chargeback_received',
        'order.chargeback_reversed',
        'refund.completed',
      ])
    },
  )

  it.each(orders)('a dispute and a concurrent refund never take the same amount (sequence %i)', async (first) => {
    const sale = await aSale({ price: '100.00' })
    const { id } = (await refundAll(sale)).body
    const { ref } = await db().sandbox_payments.findFirstOrThrow({
      where: { storefront_id: sale.tenant.storefrontId },
    })
    await advanceWithoutTasks(sale, { minutes: 1 })
    for (const task of await claimDueTasks('work', 10, 90_000)) await runTask(byName, task)
    expect(await statusOf(sale, id)).toBe('processing')
    const sent = async () => void (await runDueTasks())
    const ends = await race(row('sandbox_payments', ref, 'ref'), inOrder([() => dispute(sale), sent], first))
    expect(ends).toContain('pending')
    await drainTasks()
    const status = await statusOf(sale, id)
    const [{ total }] = (await get(sale.key, '/v1/chargebacks')).data
    // A dispute cannot take the amount of a refund that is being sent to the buyer. A dispute can take the amount of a
    // refund that the bank has refused.
    expect([
      ['refunded', { reversed: '100.00', refundable: '0.00' }, '0.00'],
      ['failed', { reversed: '0.00', refundable: '100.00' }, '0.00'],
      ['failed', { reversed: '100.00', refundable: '0.00' }, '121.00'],
    ]).toContainEqual([status, await reversedOf(sale), total.value])
    expect(await eventsAbout(sale, /^refund/)).toEqual([status === 'failed' ? 'refund.failed' : 'refund.completed'])
  })

  it.each([
    ['before', 'with', {}, '121.00'],
    ['before', 'without', { country: 'DE', taxId: 'DE1' }, '100.00'],
    ['after', 'with', {}, '121.00'],
    ['after', 'without', { country: 'DE', taxId: 'DE1' }, '100.00'],
  ])(
    'if a dispute is lost just %s a refund leaves the queue, the buyer gets no refund (order %s tax)',
    async (when, _, buyer, gross) => {
      const sale = await aSale({ price: '100.00', buyer })
      const other = await aSale({ price: '100.00', shop: sale.shop })
      await createPayout(sale.tenant, { amount: '189.00' })
      const queued = (await refund(sale, '60.00')).body.id
      await pass(sale, 'PT1M')
      expect(await statusOf(sale, queued)).toBe('queued')
      const { chargebackId } = await dispute(sale, gross)
      await drainTasks()
      const ending = (await refund(other, '10.00')).body.id
      await advanceWithoutTasks(sale, { minutes: 1 })
      const [windowEnd] = await claimDueTasks('work', 10, 90_000)
      if (windowEnd?.name !== 'refund.window_end') throw new Error('no window ends')
      const product = await aProduct(sale.key, { basePrice: price('1000.00') })
      await pay(sale.key, await aCheckout(sale.key, product.id))
      const lost = async () => (await move(chargebackId, 'lost')).status
      const leaves = async () => void (await runTask(byName, windowEnd))
      const [hold, racers] =
        when === 'before' ? [account(sale, 'chargebacks'), [lost, leaves]] : [row('refunds', ending), [leaves, lost]]
      const ends = await raceBehind<unknown>(hold, racers, 2, undefined, { inTurn: true })
      expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.code))).toEqual(
        when === 'before' ? ['lost', undefined] : [undefined, 'already_in_flight'],
      )
      await drainTasks()
      await pass(sale, 'PT1M')
      expect(await statusOf(sale, queued)).toBe(when === 'before' ? 'canceled' : 'failed')
      expect(await statusOf(sale, ending)).toBe('refunded')
      expect(await get(sale.key, `/v1/chargebacks/${chargebackId}`)).toMatchObject({
        status: 'lost',
        subtotal: { value: '100.00' },
      })
      expect(await reversedOf(sale)).toEqual({ reversed: '100.00', refundable: '0.00' })
      expect(await eventsAbout(sale, /^refund/)).toEqual([
        when === 'before' ? 'refund.canceled' : 'refund.failed',
        'refund.completed',
      ])
    },
  )

  it('only one of four concurrent disputes over the full payment reverses the order', async () => {
    const sale = await aSale({ price: '100.00' })
    const ends = await race(
      order(sale),
      Array.from({ length: 4 }, () => () => dispute(sale)),
    )
    expect(ends).toEqual(['pending', 'pending', 'pending', 'pending'])
    const { data } = await get(sale.key, `/v1/orders/${sale.orderId}/chargebacks`)
    expect(data.map(({ subtotal }: { subtotal: { value: string } }) => subtotal.value).sort()).toEqual([
      '0.00',
      '0.00',
      '0.00',
      '100.00',
    ])
    expect(await reversedOf(sale)).toEqual({ reversed: '100.00', refundable: '0.00' })
  })

  it.each(orders)(
    'a dispute is either won or lost if both outcomes arrive concurrently (sequence %i)',
    async (first) => {
      const sale = await aSale({ price: '100.00' })
      const { chargebackId } = await dispute(sale)
      const { provider_ref } = await db().chargebacks.findUniqueOrThrow({ where: { id: chargebackId } })
      const racers = inOrder([() => move(chargebackId, 'won'), () => move(chargebackId, 'lost')], first)
      const ends = await race(row('sandbox_chargebacks', provider_ref, 'ref'), racers)
      await drainTasks()
      const { status, orderId } = await get(sale.key, `/v1/chargebacks/${chargebackId}`)
      expect(ends).toContain(status)
      expect(ends).toContain('illegal_move')
      const events = await eventsAbout(sale, /chargeback/)
      expect([
        [
          'won',
          false,
          ['order.chargeback_received', 'order.chargeback_reversed'],
          { reversed: '0.00', refundable: '100.00' },
        ],
        ['lost', true, ['order.chargeback_received'], { reversed: '100.00', refundable: '0.00' }],
      ]).toContainEqual([status, orderId !== null, events, await reversedOf(sale)])
    },
  )

  it.each(orders)(
    'a dispute over more than the order total is either accepted or rejected (sequence %i)',
    async (first) => {
      const sale = await aSale({ price: '100.00' })
      const { chargebackId } = await dispute(sale, '200.00')
      const decisions = ['accepted', 'rejected', 'accepted', 'rejected'] as const
      const racers = inOrder(
        decisions.map((to) => () => move(chargebackId, to)),
        first,
      )
      const ends = await race(order(sale), racers)
      const { status, orderId } = await get(sale.key, `/v1/chargebacks/${chargebackId}`)
      expect(ends.sort()).toEqual([status, 'validation_failed', 'validation_failed', 'validation_failed'].sort())
      const events = await eventsAbout(sale, /chargeback/)
      expect([
        [
          'rejected',
          false,
          ['order.chargeback_received', 'order.chargeback_reversed'],
          { reversed: '0.00', refundable: '100.00' },
        ],
        ['accepted', true, ['order.chargeback_received'], { reversed: '100.00', refundable: '0.00' }],
      ]).toContainEqual([status, orderId !== null, events, await reversedOf(sale)])
    },
  )

  it('concurrent updates of a dispute apply each status change exactly once', async () => {
    const sale = await aSale({ price: '100.00' })
    const { chargebackId } = await dispute(sale)
    const { provider_ref: ref } = await db().chargebacks.findUniqueOrThrow({ where: { id: chargebackId } })
    const sync = () => syncNow(sale.tenant, { orderId: sale.orderId, ref })
    await db().sandbox_chargebacks.update({ where: { ref }, data: { status: 'lost' } })
    expect(await race(order(sale), Array(6).fill(sync))).toEqual(Array(6).fill('lost'))
    expect(await eventsAbout(sale, /chargeback/)).toEqual(['order.chargeback_received'])
    expect(await db().orders.count({ where: { credited_order_id: sale.orderId } })).toBe(1)
  })

  it('concurrent first notices of a dispute create one dispute', async () => {
    const sale = await aSale({ price: '100.00' })
    const payment = await db().sandbox_payments.findFirstOrThrow({
      where: { storefront_id: sale.tenant.storefrontId },
    })
    const amount = { minor: 12_100n, currency: 'EUR' as const }
    const ref = await raiseChargeback(sale.tenant, payment.ref, { amount, reason: 'fraud' })
    const sync = () => syncNow(sale.tenant, { orderId: sale.orderId, ref })
    const timers = async () => void (await runDueTasks())
    expect(await race(order(sale), [...Array(5).fill(sync), timers])).toEqual([...Array(5).fill('pending'), undefined])
    expect(await db().chargebacks.count({ where: { order_id: sale.orderId } })).toBe(1)
    expect(await eventsAbout(sale, /chargeback/)).toEqual(['order.chargeback_received'])
    expect(await reversedOf(sale)).toEqual({ reversed: '100.00', refundable: '0.00' })
  })
})
