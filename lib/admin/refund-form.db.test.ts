import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { db } from '../platform/db/db.ts'
import { key, newestEntry } from '../testing/admin-forms.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { lockOn } from '../testing/lock-on.ts'
import { anOperator, operatorAddress } from '../testing/operator.ts'
import { raceBehind } from '../testing/race-behind.ts'
import { aReceiver } from '../testing/receiver.ts'
import { type Everything, email, everything, form, place } from '../testing/storefront-pages.ts'
import { get, ordersOf, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
let operatorId = ''
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeAll(async () => {
  ;({ operatorId, cookies } = await anOperator(email))
  receiver = await aReceiver()
})

afterAll(() => receiver.close())

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

describe('a refund', () => {
  const amounts = ({ order }: Everything, value: string) => ({ [`amount.${order.lines[0].id}`]: value })
  /** Sends a form a second time while its first request runs. The first request ends only after the second request waits or is refused. */
  async function clickedTwice<Next>({ order }: Everything, submit: () => Promise<Next>): Promise<Next[]> {
    const queries = vi.spyOn(pg.Client.prototype, 'query')
    const textOf = ([query]: readonly unknown[]) => String((query as { text?: string })?.text ?? query)
    const claims = () => queries.mock.calls.map(textOf).filter((text) => text.includes('INSERT INTO idempotency_keys'))
    const second: { next?: Promise<Next>; isOver?: boolean } = {}
    const [first] = await raceBehind(lockOn('orders', order.id), [submit], 1, async () => {
      const before = claims().length
      second.next = submit().finally(() => {
        second.isOver = true
      })
      await vi.waitFor(() => expect(second.isOver || claims().length > before + 1).toBe(true), 10_000)
    })
    queries.mockRestore()
    if (first?.status !== 'fulfilled' || !second.next) throw new Error('the first request failed')
    return [first.value, await second.next]
  }
  const refundsOf = async ({ key, order }: Everything) => (await get(key, `/v1/orders/${order.id}/refunds`)).data

  test('the preview of a refund accepts a decimal comma, and the refunded amount equals the preview', async () => {
    const of = await everything(receiver.url)
    const page = await admin.refundPage(place(of), of.order.id, Object.entries(amounts(of, '3,33')), cookies)
    expect(page).toMatchObject({ problems: {}, preview: { subtotal: { value: '3.33' }, total: { value: '4.03' } } })
    const sent = form({ intent: 'refund', key: page?.formKey ?? '', ...amounts(of, '3.33') })
    expect(await admin.submitOrder(place(of), of.order.id, sent, cookies)).toMatchObject({
      redirectTo: expect.stringMatching(/\?done=refunded$/),
    })
    expect(await refundsOf(of)).toMatchObject([{ status: 'pending', total: page?.preview?.total }])
    expect(await newestEntry()).toMatchObject({
      action: 'refund.create',
      subject: of.order.id,
      actor: { kind: 'operator', id: operatorId, address: operatorAddress },
      after: { refund: expect.stringMatching(/^refund_/), total: { value: '4.03', currency: 'EUR' } },
    })
  })

  test('two simultaneous copies of a refund form create one refund', async () => {
    const of = await everything(receiver.url)
    const sent = { intent: 'refund', key: key(), ...amounts(of, '1.00') }
    const submit = () => admin.submitOrder(place(of), of.order.id, form(sent), cookies)
    // The browser follows the response to the last click, so each response must report the result of the first click.
    for (const next of await clickedTwice(of, submit)) expect(next?.redirectTo).toMatch(/\?done=refunded$/)
    expect((await submit())?.redirectTo).toMatch(/\?done=refunded$/)
    expect(await refundsOf(of)).toHaveLength(1)
    // A form with the idempotency key of the first form but different amounts is refused.
    const other = await admin.submitOrder(place(of), of.order.id, form({ ...sent, ...amounts(of, '2.00') }), cookies)
    expect(other?.redirectTo).toMatch(/\/refund\?amount\..*&failed=idempotency_mismatch$/)
    for (const bad of ['', 'x', key().toUpperCase()])
      await admin.submitOrder(place(of), of.order.id, form({ ...sent, key: bad }), cookies)
    expect(await refundsOf(of)).toHaveLength(1)
    await admin.submitOrder(place(of), of.order.id, form({ ...sent, key: key() }), cookies)
    expect(await refundsOf(of)).toHaveLength(2)
  })

  test('an invalid refund amount is refused, and the form shows the problem at the line', async () => {
    const of = await everything(receiver.url)
    const line = of.order.lines[0].id
    for (const [value, sentence] of [
      ['30.00', /at most the refundable amount of the line, before tax: €24\.50/],
      ['0.00', /at least 0.01/],
      ['-1.00', /an amount from 0\.01 to 99,999,999\.99/],
      ['much', /an amount from 0\.01 to 99,999,999\.99/],
      ['1.001', /an amount from 0\.01 to 99,999,999\.99/],
    ] as const) {
      const page = await admin.refundPage(place(of), of.order.id, Object.entries(amounts(of, value)), cookies)
      expect(page).toMatchObject({ preview: null, problems: { [line]: expect.stringMatching(sentence) } })
      const sent = form({ intent: 'refund', key: key(), ...amounts(of, value) })
      const next = await admin.submitOrder(place(of), of.order.id, sent, cookies)
      expect(next?.redirectTo).toMatch(new RegExp(`/orders/${of.order.id}/refund\\?amount\\.${line}=`))
      expect(await refundsOf(of)).toEqual([])
    }
  })

  test('a refund needs a second-factor code if the last code was entered more than 15 minutes ago', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    const [order] = await ordersOf(scenario)
    const desk = await anOperator('refunds@example.com')
    const typed = { [`amount.${order.lines[0].id}`]: '1.00' }
    const page = (query = {}) =>
      admin.refundPage(place(scenario), order.id, Object.entries({ ...typed, ...query }), desk.cookies)
    const refund = async (code?: string) => {
      const fields = { intent: 'refund', key: key(), ...typed, ...(code !== undefined && { code }) }
      return (await admin.submitOrder(place(scenario), order.id, form(fields), desk.cookies))?.redirectTo
    }
    const count = async () => (await get(scenario.key, `/v1/orders/${order.id}/refunds`)).data.length
    expect((await page())?.needsCode).toBe(false)
    await db().operator_sessions.updateMany({
      where: { operator_id: desk.operatorId },
      data: { verified_at: new Date(Date.now() - 16 * 60_000) },
    })
    expect((await page())?.needsCode).toBe(true)
    for (const code of [undefined, '', '000000', '0'.repeat(1000)])
      expect(await refund(code)).toMatch(/code=wrong#problems$/)
    expect((await page({ code: 'wrong' }))?.problems.code).toContain('This code is wrong')
    expect(await count()).toBe(0)
    expect(await refund(desk.recoveryCodes[0])).toMatch(/done=refunded$/)
    expect((await page())?.needsCode).toBe(false)
    expect(await refund()).toMatch(/done=refunded$/)
    expect(await count()).toBe(2)
  })

  test('two clicks on a refund button use one second-factor code', async () => {
    const of = await everything(receiver.url)
    const desk = await anOperator('impatient@example.com')
    await db().operator_sessions.updateMany({
      where: { operator_id: desk.operatorId },
      data: { verified_at: new Date(Date.now() - 16 * 60_000) },
    })
    const sent = { intent: 'refund', key: key(), ...amounts(of, '1.00'), code: desk.recoveryCodes[0] ?? '' }
    const submit = () => admin.submitOrder(place(of), of.order.id, form(sent), desk.cookies)
    for (const next of await clickedTwice(of, submit)) expect(next?.redirectTo).toMatch(/\?done=refunded$/)
    expect(await refundsOf(of)).toHaveLength(1)
  })

  test('a refund without amounts is refused with a reason', async () => {
    const of = await everything(receiver.url)
    expect(await admin.refundPage(place(of), of.order.id, [], cookies)).toMatchObject({
      preview: null,
      problems: { order: expect.stringContaining('at least one') },
    })
  })

  test('a refund that was not yet sent to the provider can be canceled', async () => {
    const of = await everything(receiver.url)
    await admin.submitOrder(
      place(of),
      of.order.id,
      form({ intent: 'refund', key: key(), ...amounts(of, '1.00') }),
      cookies,
    )
    const [{ id: refund }] = await refundsOf(of)
    const cancel = () =>
      admin.submitOrder(place(of), of.order.id, form({ intent: 'cancel-refund', key: key(), refund }), cookies)
    expect((await cancel())?.redirectTo).toMatch(/\?done=refundCanceled$/)
    expect(await newestEntry()).toMatchObject({ action: 'refund.cancel', subject: refund })
    expect((await cancel())?.redirectTo).toMatch(/\?failed=refund_not_cancelable$/)
    expect((await refundsOf(of))[0].status).toBe('canceled')
  })
})
