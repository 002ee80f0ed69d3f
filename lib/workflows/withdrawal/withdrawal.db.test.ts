import { afterAll, describe, expect, test } from 'vitest'
import { orderPage } from '../../admin/pages.ts'
import { listEmails, readEmail } from '../../modules/emails/operations.ts'
import { createMember } from '../../modules/operators/operations.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { db } from '../../platform/db/db.ts'
import { allRows } from '../../testing/all-rows.ts'
import { send } from '../../testing/api.ts'
import { decisive, killedAt } from '../../testing/crash.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { anOperator } from '../../testing/operator.ts'
import { portalCookies, portalVisitor } from '../../testing/portal.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { eventsOf, tokenOf } from '../../testing/shop.ts'
import { pass, subscriptionOf } from '../../testing/subscription-scenario.ts'
import { aPurchase, consumer, declare, filled, nobody, type Purchase, received } from '../../testing/withdrawal.ts'
import { overview } from '../portal/load-portal.ts'
import { loadWithdrawal, withdrawalPage } from './load-withdrawal.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('a withdrawal', () => {
  test('a withdrawal in two steps is recorded, confirmed by email, and ends the subscription', async () => {
    const bought = await aPurchase({ locale: 'en' })
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: bought.shop.storefrontId } })
    const login = { password: 'correct horse battery', merchantId: merchant_id }
    for (const role of ['owner', 'support', 'developer'] as const)
      await createMember({
        ...login,
        role,
        email: `${role}@${bought.shop.storefrontId.slice(-8).toLowerCase()}.example`,
      })
    const before = await allRows()
    expect(await withdrawalPage(bought.token, null, nobody)).toMatchObject({
      state: 'open',
      name: 'Ada Lovelace',
      maskedEmail: 'a***@e***.com',
      lines: [{ name: 'Pro', quantity: 1 }],
    })
    const checked = await declare(bought.token, filled({ intent: 'check' }))
    const [, form = ''] = checked?.redirectTo.split('?form=') ?? []
    const page = await withdrawalPage(bought.token, form, portalVisitor(checked?.cookie?.split(';')[0] ?? null))
    expect(page).toMatchObject({ state: 'review', name: 'Ada Lovelace', maskedEmail: 'a***@e***.com' })
    expect(page?.statement).toContain(bought.order.invoiceNumber)
    expect(await allRows()).toEqual(before)

    expect(await declare(bought.token)).toEqual({ redirectTo: withdrawalPath(bought.order.id) })
    expect(await subscriptionOf(bought)).toMatchObject({ status: 'canceled', cancellationReason: 'customer_request' })
    expect((await eventsOf(bought.shop)).filter((name) => name.includes('cancel'))).toEqual([
      'subscription.canceled_immediately',
    ])
    const acknowledged = await received(bought, 'withdrawal_received')
    expect(acknowledged.map(({ to }) => to).sort()).toEqual(['ada@example.com'])
    for (const words of [page?.statement ?? '', 'Ada Lovelace', 'ada@example.com', bought.order.invoiceNumber])
      expect(acknowledged[0]?.text).toContain(words)
    expect(acknowledged[0]?.text).toMatch(/2027.*\d\d:\d\d/)
    const notices = await received(bought, 'withdrawal_declared')
    expect(notices.map(({ to }) => to.split('@')[0]).sort()).toEqual(['owner', 'support'])
    expect(notices[0]?.text).toContain(`/orders/${bought.order.id}#withdrawal`)
    expect(await withdrawalPage(bought.token, null, nobody)).toMatchObject({
      state: 'declared',
      statement: null,
      lines: [],
      declared: [{ statement: page?.statement, maskedEmail: 'a***@e***.com', items: [{ name: 'Pro', quantity: 1 }] }],
    })
    expect((await send(`GET /v1/orders/${bought.order.id}`, { key: bought.key })).body).toEqual(bought.order)
  })

  test('the confirmation of a withdrawal is sent only to the buyer’s own addresses', async () => {
    const bought = await aPurchase()
    const email = 'ada@new.example'
    expect((await send(`PATCH /v1/customers/${bought.customerId}`, { key: bought.key, body: { email } })).status).toBe(
      200,
    )
    expect((await withdrawalPage(bought.token, null, nobody))?.maskedEmail).toBe('a***@e***.com, a***@n***.example')
    for (const stranger of ['eve@stranger.example', 'mallory@stranger.example'])
      await declare(bought.token, filled({ email: stranger }))
    expect((await received(bought, 'withdrawal_received')).map(({ to }) => to).sort()).toEqual([
      'ada@example.com',
      email,
    ])
    const all = (await listEmails(bought.shop.storefrontId)).map(({ to }) => to)
    expect(all.filter((to) => to.endsWith('stranger.example'))).toEqual([])
  })

  test('the admin area shows a withdrawal with its order and proposes a refund', async () => {
    const bought = await aPurchase()
    const { cookies } = await anOperator('withdrawal-desk@example.com')
    const place = { mode: 'test', storefrontId: bought.shop.storefrontId }
    expect((await orderPage(place, bought.order.id, cookies))?.declared).toEqual([])
    await declare(bought.token, filled(), await portalCookies(bought))
    const [line] = bought.order.lines
    expect(await orderPage(place, bought.order.id, cookies)).toMatchObject({
      declared: [{ name: 'Ada Lovelace', email: 'ada@example.com', source: 'portal' }],
      amounts: { [line.id]: line.subtotal.value },
    })
    const items = [{ itemId: line.id, amount: line.subtotal }]
    await send(`POST /v1/orders/${bought.order.id}/refunds`, { key: bought.key, body: { items } })
    await pass(bought, 'PT1H')
    expect((await orderPage(place, bought.order.id, cookies))?.amounts).toEqual({})
  })

  test('during the withdrawal period, the portal and the receipt offer the withdrawal', async () => {
    const bought = await aPurchase()
    const cookies = await portalCookies(bought)
    const offered = async () => (await overview(portalVisitor(cookies)))?.withdrawals.map(({ url }) => url)
    expect(await offered()).toEqual([withdrawalPath(bought.order.id)])
    const [receipt] = (await listEmails(bought.shop.storefrontId)).filter(({ kind }) => kind === 'receipt')
    expect((await readEmail(bought.shop.scope, receipt?.id ?? ''))?.text).toContain(`/withdrawal/${bought.token}`)
    await declare(bought.token)
    expect(await offered()).toEqual([])
  })

  test('pages and emails state the same last day of the withdrawal, in the buyer’s time zone', async () => {
    const bought = await aPurchase(
      { timeZone: 'Europe/Warsaw' },
      { at: '2027-01-04T23:30:00Z', checkout: { locale: 'en' } },
    )
    const { cookies } = await anOperator('withdrawal-zone@example.com')
    const place = { mode: 'test', storefrontId: bought.shop.storefrontId }
    expect(await withdrawalPage(bought.token, null, nobody)).toMatchObject({
      until: '2027-01-19',
      timeZone: 'Europe/Warsaw',
      concludedAt: expect.stringMatching(/^2027-01-04T23:3/),
    })
    expect((await overview(portalVisitor(await portalCookies(bought))))?.withdrawals).toMatchObject([
      { until: '2027-01-19' },
    ])
    expect((await orderPage(place, bought.order.id, cookies))?.withdrawal?.until).toBe('2027-01-19')
    const [receipt] = (await listEmails(bought.shop.storefrontId)).filter(({ kind }) => kind === 'receipt')
    expect(receipt?.text).toContain('You can withdraw until 19\u00a0January\u00a02027')
    await declare(bought.token)
    expect((await received(bought, 'withdrawal_received'))[0]?.text).toContain('on 5\u00a0January\u00a02027: Pro')
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: ' \u200b ' }, 'name'],
    [{ name: 'a'.repeat(256) }, 'name'],
  ])('a withdrawal with the form %j is refused with an error on the field %s', async (more, field) => {
    const { token } = await aPurchase()
    const before = await allRows()
    for (const intent of ['check', 'confirm']) {
      const next = await declare(token, filled({ ...more, intent }))
      const form = /\?form=(\w+)#problems$/.exec(next?.redirectTo ?? '')?.[1] ?? ''
      const page = await withdrawalPage(token, form, portalVisitor(next?.cookie?.split(';')[0] ?? null))
      expect(page).toMatchObject({
        state: 'open',
        problems: { lines: false, name: field === 'name' },
        ...more,
      })
    }
    expect(await allRows()).toEqual(before)
  })

  test('the right of withdrawal ends after its period, counted in calendar days', async () => {
    const bought = await aPurchase()
    await pass(bought, 'P14D')
    expect((await loadWithdrawal(bought.token, nobody, new URLSearchParams())).status).toBe(200)
    await pass(bought, 'PT19H')
    expect([
      (await loadWithdrawal(bought.token, nobody, new URLSearchParams())).status,
      (await withdrawalPage(bought.token, null, nobody))?.state,
    ]).toEqual([...[410, 'over']])
    const before = await allRows()
    await declare(bought.token)
    expect(await allRows()).toEqual(before)
    expect((await overview(portalVisitor(await portalCookies(bought))))?.withdrawals).toEqual([])
  })

  test('a withdrawal is possible in a free trial although the trial has no invoice', async () => {
    const bought = await aPurchase({ beginAtOnce: 'yes' }, { checkout: { locale: 'en' }, item: { trialDays: 14 } })
    const [confirmation] = (await listEmails(bought.shop.storefrontId)).filter(
      ({ kind }) => kind === 'subscription_confirmation',
    )
    expect(confirmation?.text).toContain(`/withdrawal/${bought.token}`)
    expect(confirmation?.text).toContain('you pay for the time until then. The free trial is not charged.')
    expect(await withdrawalPage(bought.token, null, nobody)).toMatchObject({ number: bought.order.id, hasTrial: true })
    await declare(bought.token)
    expect((await subscriptionOf(bought)).status).toBe('canceled')
  })

  test('a withdrawal does not change an ended subscription', async () => {
    const bought = await aPurchase()
    await send(`DELETE /v1/subscriptions/${bought.id}?immediately=true`, { key: bought.key })
    const ended = await subscriptionOf(bought)
    await declare(bought.token)
    expect(await subscriptionOf(bought)).toEqual(ended)
    expect(await received(bought, 'withdrawal_received')).toHaveLength(1)
  })

  test('a buyer cannot withdraw from digital content whose supply began immediately', async () => {
    const bought = await aPurchase()
    const { id: bookId } = await factories.aProduct(bought.key)
    const buy = async (products: object[]) => {
      const checkout = await factories.aCheckout(bought.key, bookId, { products })
      const { orderId } = await factories.pay(bought.key, checkout, { ...consumer, beginAtOnce: 'yes' })
      return { orderId, token: tokenOf(withdrawalPath(orderId)) }
    }
    const book = await buy([{ id: bookId }])
    expect([
      (await loadWithdrawal(book.token, nobody, new URLSearchParams())).status,
      (await withdrawalPage(book.token, null, nobody))?.state,
    ]).toEqual([...[410, 'lost']])
    await declare(book.token)
    expect(await db().order_withdrawals.count({ where: { order_id: book.orderId } })).toBe(0)
    const mixed = await buy([{ id: bookId }, { id: bought.planId }])
    expect(await withdrawalPage(mixed.token, null, nobody)).toMatchObject({ state: 'open', lines: [{ name: 'Pro' }] })
    await declare(mixed.token)
    expect(await db().order_withdrawals.count({ where: { order_id: mixed.orderId } })).toBe(1)
    const emails = await listEmails(bought.shop.storefrontId)
    const receiptOf = (orderId: string) => emails.find((email) => email.orderId === orderId)?.text
    expect(receiptOf(book.orderId)).not.toContain('/withdrawal/')
    expect(receiptOf(mixed.orderId)).toContain('/withdrawal/')
  })

  test('the withdrawal page responds 404 for the order of a company and for an invalid link', async () => {
    const { token } = await aPurchase({ taxId: 'DE1' })
    const other = await aPurchase()
    for (const each of [
      token,
      `${other.token}x`,
      other.token.slice(1),
      tokenOf(other.order.links.customerInvoice.href),
      '',
    ])
      expect([
        ...[
          await withdrawalPage(each, null, nobody),
          await declare(each),
          (await loadWithdrawal(each, nobody, new URLSearchParams())).status,
        ],
      ]).toEqual([null, null, 404])
  })

  test('concurrent withdrawals and a concurrent cancellation record one withdrawal', async () => {
    const bought = await aPurchase()
    const cancel = () => send(`DELETE /v1/subscriptions/${bought.id}`, { key: bought.key }) as Promise<unknown>
    const racers = [...[1, 2, 3, 4].map(() => () => declare(bought.token) as Promise<unknown>), cancel]
    const ends = await raceBehind(lockOn('subscriptions', bought.id), racers, 3)
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await received(bought, 'withdrawal_received')).toHaveLength(1)
    expect((await subscriptionOf(bought)).status).toBe('canceled')
  })

  test.each(['before', 'after'] as const)(
    'a withdrawal is recorded once even if the process is killed %s its commit',
    async (moment) => {
      const bought: Purchase = await aPurchase()
      expect(await killedAt(1, moment, () => declare(bought.token), decisive())).toBe(true)
      await declare(bought.token)
      expect(await received(bought, 'withdrawal_received')).toHaveLength(1)
      expect((await subscriptionOf(bought)).status).toBe('canceled')
    },
  )

  test('the database stores the name, address, and text of a withdrawal encrypted', async () => {
    const bought = await aPurchase()
    await declare(bought.token, filled({ name: 'Augusta King' }))
    const [{ dump }] = await db().$queryRaw<[{ dump: string }]>`
      SELECT string_agg(to_jsonb(w)::text, ' ') AS dump FROM order_withdrawals w WHERE order_id = ${bought.order.id}`
    expect(dump).toContain(bought.order.id)
    for (const secret of ['Augusta', 'ada@', bought.token]) expect(dump).not.toContain(secret)
  })
})
