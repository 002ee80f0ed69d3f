import { afterAll, describe, expect, test } from 'vitest'
import { orderPage } from '../../admin/pages.ts'
import { createMember } from '../../modules/operators/operations.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { db } from '../../platform/db/db.ts'
import { allRows } from '../../testing/all-rows.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { anOperator } from '../../testing/operator.ts'
import { portalCookies, portalVisitor } from '../../testing/portal.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { tokenOf } from '../../testing/shop.ts'
import { pass } from '../../testing/subscription-scenario.ts'
import { about, aPurchase, consumer, declare, filled, nobody, received } from '../../testing/withdrawal.ts'
import { overview } from '../portal/load-portal.ts'
import { withdrawalPage } from './load-withdrawal.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function aCartOf3() {
  const bought = await aPurchase({ locale: 'en' })
  const { id: handbook } = await factories.aProduct(bought.key)
  const { id: backups } = await factories.aPlan(bought.key, { name: 'Backups' })
  const products = [{ id: bought.planId, quantity: 2 }, { id: handbook }, { id: backups, trialDays: 14 }]
  const checkout = await factories.aCheckout(bought.key, handbook, { products, locale: 'en' })
  const { orderId } = await factories.pay(bought.key, checkout, { ...consumer, email: 'parts@example.com' })
  const order = (await send(`GET /v1/orders/${orderId}`, { key: bought.key })).body
  const statuses = async () => {
    const { data } = (await send(`GET /v1/customers/${order.customerId}/subscriptions`, { key: bought.key })).body
    return Object.fromEntries(data.map(({ name, status }: { name: string; status: string }) => [name, status]))
  }
  return { ...bought, order, token: tokenOf(withdrawalPath(orderId)), statuses }
}

describe('a withdrawal from some lines of an order', () => {
  test('the email about a withdrawal lists the chosen lines, and the subscriptions of other lines continue', async () => {
    const bought = await aCartOf3()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: bought.shop.storefrontId } })
    await createMember({
      email: 'parts-owner@example.com',
      password: 'correct horse battery',
      role: 'owner',
      merchantId: merchant_id,
    })
    const before = await allRows()
    const checked = await declare(bought.token, about([0, 1], { intent: 'check' }))
    const form = checked?.redirectTo.split('?form=')[1] ?? ''
    const review = await withdrawalPage(bought.token, form, portalVisitor(checked?.cookie?.split(';')[0] ?? null))
    expect(review?.lines.map(({ name, isChosen }) => [name, isChosen])).toEqual([
      ...[['Pro', true], ['Handbook', true], ['Backups', false]], // biome-ignore format: a table
    ])
    expect(review?.state).toBe('review')
    expect(review?.statement).toMatch(/following part of the contract .*: 2 × Pro, Handbook \(TEST-INV-/)
    expect(await allRows()).toEqual(before)

    await declare(bought.token, about([0, 1]))
    expect(await bought.statuses()).toEqual({ Pro: 'canceled', Backups: 'trial' })
    const acknowledged = await received(bought, 'withdrawal_received')
    expect(acknowledged).toHaveLength(1)
    for (const { text } of acknowledged) {
      expect(text).toContain(review?.statement)
      expect(text).not.toContain('Backups')
    }
    expect((await received(bought, 'withdrawal_declared'))[0]?.text).toContain('It is about: 2 × Pro, Handbook.')
    expect(await withdrawalPage(bought.token, null, nobody)).toMatchObject({
      state: 'declared',
      lines: [{ name: 'Backups', position: 2, isChosen: true }],
      declared: [{ statement: review?.statement, items: [{ name: 'Pro', quantity: 2 }, { name: 'Handbook' }] }],
    })
    const offered = (
      await overview(portalVisitor(await portalCookies({ key: bought.key, customerId: bought.order.customerId })))
    )?.withdrawals
    expect(offered).toMatchObject([{ description: 'Backups', url: withdrawalPath(bought.order.id) }])
  })

  test('after a withdrawal from one line, the other lines can be withdrawn until no line is left', async () => {
    const bought = await aCartOf3()
    await declare(bought.token, about([1]))
    expect(await bought.statuses()).toEqual({ Pro: 'active', Backups: 'trial' })
    await pass(bought, 'P2D')
    await declare(bought.token, about([0, 1, 2]))
    const page = await withdrawalPage(bought.token, null, nobody)
    expect(page).toMatchObject({
      state: 'declared',
      lines: [],
      declared: [{ items: [{ name: 'Handbook' }] }, { items: [{ name: 'Pro' }, { name: 'Backups' }] }],
    })
    expect(page?.declared[1]?.statement).not.toContain('Handbook')
    expect(await bought.statuses()).toEqual({ Pro: 'canceled', Backups: 'canceled' })
    const before = await allRows()
    for (const form of [about([1]), about([0, 1, 2]), filled()]) await declare(bought.token, form)
    expect(await allRows()).toEqual(before)
  })

  test('the proposed refund covers exactly the withdrawn lines that were not refunded after their withdrawal', async () => {
    const bought = await aCartOf3()
    const { cookies } = await anOperator('withdrawal-parts@example.com')
    const place = { mode: 'test', storefrontId: bought.shop.storefrontId }
    const prepared = async () => (await orderPage(place, bought.order.id, cookies))?.amounts
    const [pro, handbook] = bought.order.lines
    await declare(bought.token, about([1, 2]))
    expect(await prepared()).toEqual({ [handbook.id]: handbook.subtotal.value })
    const kept = { itemId: handbook.id, amount: { value: '10.00', currency: 'EUR' } }
    await send(`POST /v1/orders/${bought.order.id}/refunds`, { key: bought.key, body: { items: [kept] } })
    expect(await prepared()).toEqual({})
    await declare(bought.token, about([0]))
    expect(await prepared()).toEqual({ [pro.id]: pro.subtotal.value })
  })

  test.each([
    ['no line is chosen', []],
    ['the chosen lines are not in the contract', [7, 300]],
  ])('a withdrawal is refused with an error if %s', async (_, positions) => {
    const { token } = await aCartOf3()
    const before = await allRows()
    for (const intent of ['check', 'confirm']) {
      const next = await declare(token, about(positions, { intent }))
      const form = /\?form=(\w+)#problems$/.exec(next?.redirectTo ?? '')?.[1] ?? ''
      const page = await withdrawalPage(token, form, portalVisitor(next?.cookie?.split(';')[0] ?? null))
      expect(page).toMatchObject({ state: 'open', problems: { lines: true, name: false } })
      expect(page?.lines.map(({ isChosen }) => isChosen)).toEqual([false, false, false])
    }
    expect(await allRows()).toEqual(before)
  })

  test('the right to withdraw from a line ends after its period, even if the buyer has withdrawn from another line', async () => {
    const bought = await aCartOf3()
    await declare(bought.token, about([1]))
    await pass(bought, 'P14DT19H')
    const before = await allRows()
    await declare(bought.token, about([0]))
    expect(await allRows()).toEqual(before)
    expect(await withdrawalPage(bought.token, null, nobody)).toMatchObject({ state: 'declared', lines: [] })
  })

  test('a line is withdrawn once, even if several forms are sent concurrently', async () => {
    const bought = await aCartOf3()
    const forms = [[0, 1], [1, 2], [1], [0, 2], [0, 1, 2]] // biome-ignore format: a table
    const racers = forms.map((positions) => () => declare(bought.token, about(positions)))
    const ends = await raceBehind(lockOn('orders', bought.order.id), racers, 2)
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true)
    const rows = await db().order_withdrawals.findMany({ where: { order_id: bought.order.id } })
    const lines = rows.flatMap(({ checkout_line_ids }) => checkout_line_ids)
    expect([lines.length, new Set(lines).size]).toEqual([3, 3])
    expect(await received(bought, 'withdrawal_received')).toHaveLength(rows.length)
    expect(await bought.statuses()).toEqual({ Pro: 'canceled', Backups: 'canceled' })
  })
})
