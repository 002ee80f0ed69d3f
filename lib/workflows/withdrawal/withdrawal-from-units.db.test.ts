import { afterAll, describe, expect, test } from 'vitest'
import { orderPage } from '../../admin/pages.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { db } from '../../platform/db/db.ts'
import { allRows } from '../../testing/all-rows.ts'
import { send } from '../../testing/api.ts'
import { decisive, killedAt } from '../../testing/crash.ts'
import { read } from '../../testing/email-text.ts'
import { aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { anOperator } from '../../testing/operator.ts'
import { portalVisitor } from '../../testing/portal.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  pass,
  subscriptionOf,
  untilFirstRetry,
} from '../../testing/subscription-scenario.ts'
import { about, aboutUnits, aPurchase, declare, nobody, received } from '../../testing/withdrawal.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import { withdrawalPage } from './load-withdrawal.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function aTeamOf3() {
  const bought = await aPurchase({}, { item: { quantity: 3 }, checkout: { locale: 'en' } })
  const quantity = async () => {
    const { body } = await send(`GET /v1/subscriptions/${bought.id}`, { key: bought.key })
    return [body.status, body.quantity]
  }
  return { ...bought, quantity }
}

describe('a partial withdrawal', () => {
  test('emails and later charges use the number of units that remain after a partial withdrawal', async () => {
    const bought = await aTeamOf3()
    const before = await allRows()
    const checked = await declare(bought.token, aboutUnits([[0, '1', 3]], { intent: 'check' }))
    const form = checked?.redirectTo.split('?form=')[1] ?? ''
    const review = await withdrawalPage(bought.token, form, portalVisitor(checked?.cookie?.split(';')[0] ?? null))
    expect(review).toMatchObject({ state: 'review', lines: [{ quantity: 1, of: 3, left: 3, typed: '1' }] })
    expect(review?.statement).toMatch(/following part of the contract .*: 1 of 3 × Pro \(TEST-INV-/)
    expect(await allRows()).toEqual(before)

    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    expect(await bought.quantity()).toEqual(['active', 2])
    for (const { text } of await received(bought, 'withdrawal_received')) {
      expect(text).toContain(review?.statement)
      expect(text).toContain('Pro continues with a quantity of 2.')
      expect(text).not.toContain('have ended')
    }
    expect((await eventsOf(bought.shop)).at(-1)).toBe('subscription.updated')
    expect(await withdrawalPage(bought.token, null, nobody)).toMatchObject({
      state: 'declared',
      lines: [{ name: 'Pro', quantity: 2, left: 2, typed: '2' }],
      declared: [{ items: [{ name: 'Pro', quantity: 1, of: 3 }] }],
    })
    await pass(bought, 'P1M')
    const [renewal] = (await send('GET /v1/orders', { key: bought.key })).body.data
    expect(renewal.lines.map((line: { quantity: number }) => line.quantity)).toEqual([2])
  })

  test('if the next charge becomes lower than the receipt stated, an email announces the charge', async () => {
    const bought = await aTeamOf3()
    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    const [announced, ...more] = (await listEmails(bought.shop.storefrontId)).filter(
      ({ kind }) => kind === 'renewal_notice',
    )
    expect(more).toEqual([])
    expect(read(announced?.text ?? '')).toMatch(/has changed: €238\.00 on .* Until now, it was €357\.00 on /)
  })

  test('a retried direct debit is announced again if a withdrawal lowers the amount of the debit', async () => {
    const options = { plan: { interval: 'week' }, item: { quantity: 3 }, checkout: { locale: 'en' } } as const
    const bought = await aPurchase({ paymentMethod: 'ideal' }, options)
    await declineMandate(bought.id, 'insufficient_funds')
    await pass(bought, 'P9D')
    const notices = async () =>
      (await listEmails(bought.shop.storefrontId))
        .filter(({ kind }) => kind === 'debit_notice')
        .map(({ text }) => read(text))
    const before = (await notices()).length
    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    const [again = '', ...others] = await notices()
    expect(others).toHaveLength(before)
    expect(again).toMatch(/we will collect €238\.00 for Pro .* from your account NL/)
    expect(again).toMatch(/\nMandate reference: M/)
  })

  test('the withdrawal page announces the end of a subscription only if the withdrawal ends the subscription', async () => {
    const bought = await aTeamOf3()
    const ends = async (units: string) => {
      const checked = await declare(bought.token, aboutUnits([[0, units, 3]], { intent: 'check' }))
      const form = checked?.redirectTo.split('?form=')[1] ?? ''
      const page = await withdrawalPage(bought.token, form, portalVisitor(checked?.cookie?.split(';')[0] ?? null))
      return [page?.state, page?.endsSubscriptions]
    }
    expect(await ends('1')).toEqual(['review', false])
    expect(await ends('3')).toEqual(['review', true])
    const body = { quantity: 2, applyImmediately: true, prorate: false }
    await send(`PATCH /v1/subscriptions/${bought.id}`, { key: bought.key, body })
    expect(await ends('2')).toEqual(['review', true])
    await send(`DELETE /v1/subscriptions/${bought.id}?immediately=true`, { key: bought.key })
    expect(await ends('3')).toEqual(['review', false])
  })

  test('a repeated withdrawal form withdraws the units once, and a withdrawal from the last units ends the subscription', async () => {
    const bought = await aTeamOf3()
    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    const before = await allRows()
    for (const form of [aboutUnits([[0, '1', 3]]), about([0]), aboutUnits([[0, '2', 3]])])
      await declare(bought.token, form)
    expect(await allRows()).toEqual(before)
    await declare(bought.token, aboutUnits([[0, '2', 2]]))
    expect(await bought.quantity()).toEqual(['canceled', 2])
    expect(await withdrawalPage(bought.token, null, nobody)).toMatchObject({
      state: 'declared',
      lines: [],
      declared: [{ items: [{ quantity: 1, of: 3 }] }, { items: [{ quantity: 2, of: 3 }] }],
    })
  })

  test('concurrent submissions of withdrawal forms withdraw the units once', async () => {
    const bought = await aTeamOf3()
    const racers = [1, 2, 1, 2, 3].map((units) => () => declare(bought.token, aboutUnits([[0, String(units), 3]])))
    const ends = await raceBehind(lockOn('subscriptions', bought.id), racers, 2)
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true)
    const rows = await db().order_withdrawals.findMany({ where: { order_id: bought.order.id } })
    expect(rows).toHaveLength(1)
    const [status, quantity] = await bought.quantity()
    expect(status === 'canceled' ? 0 : quantity).toBe(3 - (rows[0]?.quantities[0] ?? 0))
  })

  test.each(['before', 'after'] as const)(
    'units are withdrawn once even if the process is killed %s the commit',
    async (moment) => {
      const bought = await aTeamOf3()
      const form = () => aboutUnits([[0, '1', 3]])
      expect(await killedAt(1, moment, () => declare(bought.token, form()), decisive())).toBe(true)
      await declare(bought.token, form())
      expect(await bought.quantity()).toEqual(['active', 2])
      expect(await received(bought, 'withdrawal_received')).toHaveLength(1)
    },
  )

  test.each(['0', '4', '-1', '1.5', 'two', '', '99999999999'])(
    'a withdrawal from %j of 3 units is refused, and the form keeps an entered number of at most six digits',
    async (typed) => {
      const bought = await aTeamOf3()
      const before = await allRows()
      const next = await declare(bought.token, aboutUnits([[0, typed, 3]]))
      const form = /\?form=(\w+)#problems$/.exec(next?.redirectTo ?? '')?.[1] ?? ''
      const page = await withdrawalPage(bought.token, form, portalVisitor(next?.cookie?.split(';')[0] ?? null))
      expect(page).toMatchObject({ state: 'open', problems: { lines: false, quantity: true, name: false } })
      expect(page?.lines).toMatchObject([
        { isWrong: true, isChosen: true, typed: /^\d{1,6}$/.test(typed) ? typed : '' },
      ])
      expect(await allRows()).toEqual(before)
    },
  )

  test('a withdrawal ends a subscription if the subscription has no units left', async () => {
    const [fewer, ended] = [await aTeamOf3(), await aTeamOf3()]
    const body = { quantity: 1, applyImmediately: true, prorate: false }
    await send(`PATCH /v1/subscriptions/${fewer.id}`, { key: fewer.key, body })
    await declare(fewer.token, aboutUnits([[0, '1', 3]]))
    expect((await fewer.quantity())[0]).toBe('canceled')
    await send(`DELETE /v1/subscriptions/${ended.id}?immediately=true`, { key: ended.key })
    await declare(ended.token, aboutUnits([[0, '1', 3]]))
    expect(await ended.quantity()).toEqual(['canceled', 3])
    expect(await received(ended, 'withdrawal_received')).toHaveLength(1)
  })

  test('a withdrawal declaration without quantities, recorded by an older version, covers all units', async () => {
    const bought = await aTeamOf3()
    await declare(bought.token)
    const asRecorded = await withdrawalPage(bought.token, null, nobody)
    await db().$executeRaw`UPDATE order_withdrawals SET quantities = NULL WHERE order_id = ${bought.order.id}`
    expect(await withdrawalPage(bought.token, null, nobody)).toEqual(asRecorded)
    expect(asRecorded).toMatchObject({ state: 'declared', lines: [], declared: [{ items: [{ quantity: 3, of: 3 }] }] })
    const before = await allRows()
    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    expect(await allRows()).toEqual(before)
  })

  test('the proposed refund covers all withdrawn units of the line, even if several declarations withdraw the units', async () => {
    const bought = await aTeamOf3()
    const { cookies } = await anOperator('withdrawal-units@example.com')
    const place = { mode: 'test', storefrontId: bought.shop.storefrontId }
    const [line] = bought.order.lines
    const prepared = async () => (await orderPage(place, bought.order.id, cookies))?.amounts
    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    const part = (Number(line.subtotal.value) / 3).toFixed(2)
    expect(await prepared()).toEqual({ [line.id]: part })
    await declare(bought.token, aboutUnits([[0, '1', 2]]))
    expect(await prepared()).toEqual({ [line.id]: (2 * Number(part)).toFixed(2) })
    await declare(bought.token, aboutUnits([[0, '1', 1]]))
    expect(await prepared()).toEqual({ [line.id]: line.subtotal.value })
  })
})

describe('an unpaid renewal during a partial withdrawal', () => {
  async function unpaidRenewal() {
    const bought = await aPurchase(
      {},
      { item: { quantity: 3 }, plan: { interval: 'week' }, checkout: { locale: 'en' } },
    )
    await declineMandate(bought.id, 'insufficient_funds')
    await pass(bought, 'P7D')
    const renewal = async () => {
      const { status, total, subtotal, lines } = (await ordersOf(bought)).at(-1)
      return [status, total.value, subtotal.value, lines.map((line: { quantity: number }) => line.quantity)]
    }
    expect(await renewal()).toEqual(['pending', '357.00', '300.00', [3]])
    const quantity = async () => {
      const { status, quantity } = await subscriptionOf(bought)
      return [status, quantity]
    }
    return { ...bought, renewal, quantity }
  }

  test('an unpaid renewal is collected for the units that remain after a partial withdrawal', async () => {
    const bought = await unpaidRenewal()
    await declare(bought.token, aboutUnits([[0, '2', 3]]))
    expect(await bought.renewal()).toEqual(['pending', '119.00', '100.00', [1]])
    await declineMandate(bought.id, null)
    await pass(bought, untilFirstRetry)
    expect(await bought.renewal()).toEqual(['paid', '119.00', '100.00', [1]])
    const charge = await db().sandbox_payments.findFirst({ where: { status: 'paid' }, orderBy: { amount: 'asc' } })
    expect(charge).toMatchObject({ amount: 11_900n })
  })

  test('an unpaid renewal is reduced by the withdrawn units, even after a change of quantity', async () => {
    const bought = await unpaidRenewal()
    await ask(bought, 'PATCH /v1/subscriptions/{id}', { quantity: 4, applyImmediately: true, prorate: false })
    await declare(bought.token, aboutUnits([[0, '2', 3]]))
    expect(await bought.renewal()).toEqual(['pending', '119.00', '100.00', [1]])
    expect(await bought.quantity()).toEqual(['active', 2])
  })

  test('a partial withdrawal does not change an unpaid renewal that contains a credit of the previous period', async () => {
    const bought = await aPurchase({}, { item: { quantity: 3 }, plan: { basePrice: price('31.00') } })
    const { id } = await aPlan(bought.key, { basePrice: price('36.00'), interval: 'year' })
    await declineMandate(bought.id, 'insufficient_funds')
    await ask(bought, 'PATCH /v1/subscriptions/{id}', { subscriptionPlanId: id, applyImmediately: true })
    const totals = async () => (await ordersOf(bought)).map(({ total }: { total: { value: string } }) => total.value)
    const before = await totals()
    await declare(bought.token, aboutUnits([[0, '2', 3]]))
    expect(await totals()).toEqual(before)
  })

  test.each([0, 1])(
    'a renewal is charged once if its retry and a partial withdrawal are concurrent (withdrawal first: %s)',
    async (first) => {
      const bought = await unpaidRenewal()
      await declineMandate(bought.id, null)
      await advanceWithoutTasks(bought, { days: 2 })
      const racers = [
        () => runDueTasks() as Promise<unknown>,
        () => declare(bought.token, aboutUnits([[0, '2', 3]])) as Promise<unknown>,
      ]
      const ends = await raceBehind(
        lockOn('subscriptions', bought.id),
        first ? racers.toReversed() : racers,
        2,
        undefined,
        { inTurn: true },
      )
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      await drainTasks()
      // The retry and the withdrawal both lock the subscription. If the retry is first, a charge is pending, and the
      // withdrawal no longer reduces the amount of the renewal.
      const amount = first ? ['119.00', '100.00', [1]] : ['357.00', '300.00', [3]]
      expect(await bought.renewal()).toEqual(['paid', ...amount])
      expect(await bought.quantity()).toEqual(['active', 1])
    },
  )

  test('a partial withdrawal does not change an unpaid renewal while a charge of the renewal is pending', async () => {
    const bought = await aPurchase(
      { paymentMethod: 'ideal' },
      { item: { quantity: 3 }, plan: { interval: 'week' }, checkout: { locale: 'en' } },
    )
    await pass(bought, 'P7D')
    await declare(bought.token, aboutUnits([[0, '2', 3]]))
    await pass(bought, 'PT1H')
    const renewal = (await ordersOf(bought)).at(-1)
    expect([renewal.status, renewal.total.value]).toEqual(['paid', '357.00'])
  })
})
