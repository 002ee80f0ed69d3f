import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { closeFigures } from '../modules/figures/operations.ts'
import { db } from '../platform/db/db.ts'
import { at, form, key, type Next, newestEntry } from '../testing/admin-forms.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { textOfPdf } from '../testing/pdf-text.ts'
import type { Shop } from '../testing/shop.ts'
import { drainTasks, ordersOf, pass, subscriptionOf, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
let codes: string[] = []

beforeAll(async () => {
  const operator = await anOperator('trade@example.com')
  cookies = operator.cookies
  codes = [...operator.recoveryCodes]
})

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

/** The browser state after a form: the query and fragment of the redirect, and the cookies. */
const followed = (next: Next, before = cookies) => {
  const url = new URL(next?.redirectTo ?? '', 'http://localhost')
  const left = next?.cookie?.split(';')[0]
  const { pathname: path, searchParams: query, hash } = url
  return { path, query, hash, cookies: left ? `${before}; ${left}` : before }
}

describe('a change of a subscription', () => {
  const typed = (fields: object) => form({ subscriptionPlanId: '', quantity: '', 'price.value': '', ...fields })

  test('the charge of a subscription change equals its preview to the cent', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    await factories.aPlan(scenario.key)
    const fields = { quantity: '3', when: 'now', prorate: 'yes', invoice: 'now' }
    const page = await admin.subscriptionChangePage(at(scenario.shop), scenario.id, typed(fields), cookies)
    expect(page?.preview).toMatchObject({
      changesAnything: true,
      now: { subtotal: { value: '200.00' }, total: { value: '242.00' } },
      atRenewal: null,
      nextCharge: { total: { value: '363.00' } },
    })
    const next = await admin.submitSubscriptionChange(
      at(scenario.shop),
      scenario.id,
      typed({ ...fields, terms: page?.terms }),
      cookies,
    )
    expect(followed(next).query.get('done')).toBe('change')
    await drainTasks()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ status: 'paid', total: page?.preview?.now?.total })
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 3 })
    expect(await newestEntry()).toMatchObject({ action: 'subscription.change', subject: scenario.id })
    const terms = { subscriptionPlanId: scenario.planId, interval: 'month', intervalCount: 1 }
    expect((await newestEntry())?.after).toEqual({
      ...terms,
      quantity: 3,
      basePrice: { value: '100.00', currency: 'EUR' },
      scheduledUpdate: null,
      charged: page?.preview?.now?.total,
      addedToRenewal: null,
    })
    const same = await admin.subscriptionChangePage(at(scenario.shop), scenario.id, typed(fields), cookies)
    expect(same?.preview?.changesAnything).toBe(false)
  })

  test('the preview of a subscription change includes a deferred charge in the renewal, and shows no immediate charge if the change happens at the renewal', async () => {
    const scenario = await subscriptionScenario()
    const preview = async (fields: object) =>
      (await admin.subscriptionChangePage(at(scenario.shop), scenario.id, typed({ quantity: '2', ...fields }), cookies))
        ?.preview
    expect(await preview({ when: 'now', prorate: 'yes', invoice: 'renewal' })).toMatchObject({
      now: null,
      atRenewal: { total: { value: '100.00' } },
      nextCharge: { total: { value: '300.00' } },
    })
    expect(await preview({ when: 'renewal' })).toMatchObject({
      changesAnything: true,
      now: null,
      atRenewal: null,
      nextCharge: { total: { value: '200.00' } },
    })
    expect(await preview({ when: 'now', prorate: 'no' })).toMatchObject({ now: null, atRenewal: null })
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 1, scheduledUpdate: null })
  })

  test('a refused change of a subscription states the problem of each field and has no effect', async () => {
    const scenario = await subscriptionScenario()
    const problems = async (fields: object) =>
      (await admin.subscriptionChangePage(at(scenario.shop), scenario.id, typed(fields), cookies))?.problems
    expect(await problems({ quantity: 'many' })).toMatchObject({ quantity: expect.stringContaining('number') })
    expect(await problems({ quantity: '0' })).toMatchObject({ quantity: expect.stringContaining('1') })
    expect(await problems({ quantity: '', 'price.value': 'x' })).toMatchObject({ 'price.value': expect.any(String) })
    expect(await problems({ subscriptionPlanId: 'plan_1' })).toEqual({ subscriptionPlanId: { code: 'planGone' } })
    expect(await problems({})).toEqual({ subscriptionPlanId: { code: 'nothingTyped' } })
    const next = await admin.submitSubscriptionChange(at(scenario.shop), scenario.id, typed({ quantity: '0' }), cookies)
    expect(followed(next)).toMatchObject({ path: expect.stringMatching(/\/change$/) })
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 1 })
  })
})

describe('the balance', () => {
  async function sold() {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    const page = await admin.balancePage(at(scenario.shop), {}, cookies)
    return { ...scenario, owed: page?.owed[0]?.value ?? '' }
  }

  test('the balance of a ledger account is the sum of its entries', async () => {
    const { shop } = await sold()
    const page = await admin.balancePage(at(shop), {}, cookies)
    const sum = (of: string) =>
      page?.entries.rows
        .filter(({ account }) => account === of)
        .reduce((total, { amount }) => total + Number(amount.value), 0)
    expect(page?.accounts.length).toBeGreaterThan(2)
    for (const { account, amount } of page?.accounts ?? []) expect(sum(account)).toBeCloseTo(Number(amount.value), 2)
    expect(await admin.balancePage(at(shop, 'live'), {}, cookies)).toMatchObject({ owed: [] })
  })

  test('the page, CSV file, and PDF file of a monthly statement end with the owed balance', async () => {
    const { shop, owed } = await sold()
    const { months = [] } = (await admin.balancePage(at(shop), {}, cookies)) ?? {}
    const pages = await Promise.all(months.map((month) => admin.statementPage(at(shop), month, cookies)))
    const [newest] = pages.map((page) => page?.statements[0])
    expect([newest?.closing.value, pages.at(-1)?.statements[0]?.opening.value]).toEqual([String(owed), '0.00'])
    const file = await admin.exportStatement(at(shop), months[0] ?? '', cookies)
    const parts: string[] = []
    for await (const part of file?.parts ?? []) parts.push(part)
    expect(parts.join('')).toContain(`,closing,,,,,,${owed}\r\n`)
    expect(file?.fileName).toBe(`${shop.storefrontId}-test-statement-${months[0]}.csv`)
    expect(await newestEntry()).toMatchObject({ action: 'export.statement', after: { month: months[0] } })

    const pdf = await admin.exportStatementPdf(at(shop), months[0] ?? '', cookies)
    expect(pdf?.fileName).toBe(`${shop.storefrontId}-test-statement-${months[0]}.pdf`)
    const written = await textOfPdf((await pdf?.parts.next())?.value ?? new Uint8Array())
    for (const said of ['TESTMODE:NOREALMONEY', `Closingbalance€${owed}`, `Sales1`, shop.storefrontId])
      expect(written.toUpperCase()).toContain(said.toUpperCase())
    expect(await newestEntry()).toMatchObject({ after: { month: months[0], format: 'pdf' } })
    expect(await admin.exportStatementPdf(at(shop), '2026-13', cookies)).toBeNull()
    for (const month of ['2026-13', 'constructor', '']) {
      expect(await admin.statementPage(at(shop), month, cookies), month).toBeNull()
      expect(await admin.exportStatement(at(shop), month, cookies), month).toBeNull()
    }
  })

  const submit = async ({ shop }: { shop: Shop }, fields: object, by = cookies) =>
    admin.submitPayouts(
      at(shop),
      form({ intent: 'book', currency: 'EUR', amount: '10.00', reference: 'T-1', ...fields }),
      by,
    )
  const problemsOf = async ({ shop }: { shop: Shop }, next: Next) => {
    const back = followed(next)
    const page = await admin.payoutsPage(at(shop), { form: back.query.get('form') }, back.cookies)
    return Object.keys(page?.request?.problems ?? {})
  }
  const owedNow = async ({ shop }: { shop: Shop }) =>
    Number((await admin.balancePage(at(shop), {}, cookies))?.owed[0]?.value)

  test('only staff can record a payout, the maximum is the owed amount, and a repeated reference records no second payout', async () => {
    const sale = await sold()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: sale.shop.storefrontId } })
    const owner = await aMember('owner@example.com', merchant_id, 'owner')
    expect((await admin.payoutsPage(at(sale.shop), {}, owner.cookies))?.request).toMatchObject({ mayBook: false })
    expect(await submit(sale, {}, owner.cookies)).toBeNull()
    for (const fields of [{ amount: '99999.00' }, { amount: '-1' }, { reference: '<b>' }])
      expect(await problemsOf(sale, await submit(sale, { ...fields, code: codes[0] }))).toEqual(
        'amount' in fields ? ['amount'] : ['reference'],
      )
    for (const done of ['paidOut', 'bookedBefore']) {
      const fields = { code: codes.shift(), key: crypto.randomUUID() }
      for (const _ of ['a click', 'a second one on the same button'])
        expect(followed(await submit(sale, fields)).query.get('done')).toBe(done)
    }
    expect(await owedNow(sale)).toBeCloseTo(Number(sale.owed) - 10, 2)
    expect(await newestEntry()).toMatchObject({ action: 'payout.create', after: { amount: '10.00', isNew: false } })
  })

  test('staff can request a payout with a second-factor code, and cancel the requested payout', async () => {
    const sale = await sold()
    expect(followed(await submit(sale, { intent: 'request', code: codes.shift() })).query.get('done')).toBe('requested')
    const rows = async () => (await admin.payoutsPage(at(sale.shop), {}, cookies))?.list.rows ?? []
    const [{ id: payout = '', ...row } = {}] = await rows()
    expect(row).toMatchObject({ status: 'requested', reference: 'T-1', byHand: false, moves: ['cancel'] })
    expect(await owedNow(sale)).toBeCloseTo(Number(sale.owed) - 10, 2)
    const merchant = (await db().storefronts.findUniqueOrThrow({ where: { id: sale.shop.storefrontId } })).merchant_id
    const accountant = await aMember('books@example.com', merchant, 'accountant')
    expect(await submit(sale, { intent: 'cancel', payout }, accountant.cookies)).toBeNull()
    expect((await admin.payoutsPage(at(sale.shop), {}, accountant.cookies))?.list.rows[0]?.moves).toEqual([])
    expect(followed(await submit(sale, { intent: 'confirm', payout })).query.get('failed')).toBe('illegal_move')
    for (const _ of [1, 2])
      expect(followed(await submit(sale, { intent: 'cancel', payout })).query.get('done')).toBe('cancel')
    expect(await newestEntry()).toMatchObject({ action: 'payout.cancel', subject: payout })
    expect((await rows()).map(({ status, moves }) => [status, moves])).toEqual([['canceled', []]])
    expect(await owedNow(sale)).toBe(Number(sale.owed))
  })

  test('recording a payout needs a new second-factor code, and one code records one payout', async () => {
    const sale = await sold()
    for (const code of ['', '000000', 'recovery'])
      expect(await problemsOf(sale, await submit(sale, { code }))).toEqual(['code'])
    expect(await owedNow(sale)).toBe(Number(sale.owed))
    const sent = { code: codes.shift(), key: key() }
    for (const _ of [1, 2]) expect(followed(await submit(sale, sent)).query.get('done')).toBe('paidOut')
    expect(await problemsOf(sale, await submit(sale, { ...sent, key: key(), reference: 'T-2' }))).toEqual(['code'])
    expect(await owedNow(sale)).toBeCloseTo(Number(sale.owed) - 10, 2)
  })
})

describe('a chargeback that exceeds the sale', () => {
  async function disputed() {
    const scenario = await subscriptionScenario()
    const [order] = await ordersOf(scenario)
    const { chargebackId } = await raise(order.id, { amount: '500.00', reason: 'fraud' })
    await drainTasks()
    return { ...scenario, id: chargebackId }
  }

  test.each(['accepted', 'rejected'])(
    'staff can decide only once about a chargeback that exceeds the sale: %s',
    async (decision) => {
      const { shop, id } = await disputed()
      const toDecide = { status: 'requires_amount_review' }
      expect((await admin.openDisputesPage(toDecide, cookies))?.rows).toContainEqual(expect.objectContaining({ id }))
      expect(await admin.chargebackPage(at(shop), id, {}, cookies)).toMatchObject({ isWaiting: true, mayDecide: true })
      const { ifAccepted } = (await admin.chargebackPage(at(shop), id, {}, cookies)) ?? {}
      const decide = async (intent: string) =>
        followed(await admin.submitChargeback(at(shop), id, form({ intent }), cookies)).query
      expect((await decide(decision)).get('done')).toBe(decision)
      expect(await newestEntry()).toMatchObject({ action: `chargeback.${decision}`, subject: id })
      const entries = (await verifyAudit()).entries
      expect((await decide(decision)).get('failed')).toBe('illegal_move')
      expect((await verifyAudit()).entries).toBe(entries)
      await drainTasks()
      expect(await admin.chargebackPage(at(shop), id, {}, cookies)).toMatchObject({
        isWaiting: false,
        ifAccepted: null,
        chargeback: { status: decision },
        // After staff accept the chargeback, the settlement amount equals the amount that the page stated before the decision.
        ...(decision === 'accepted' && { chargeback: { status: decision, settlementAmount: ifAccepted } }),
      })
    },
  )

  test('a merchant can see but not decide a chargeback under review', async () => {
    const { shop, id } = await disputed()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const owner = await aMember('disputed@example.com', merchant_id, 'owner')
    expect(await admin.chargebackPage(at(shop), id, {}, owner.cookies)).toMatchObject({
      isWaiting: true,
      mayDecide: false,
    })
    expect(await admin.submitChargeback(at(shop), id, form({ intent: 'rejected' }), owner.cookies)).toBeNull()
    expect(await admin.openDisputesPage({}, owner.cookies)).toBeNull()
    expect(await admin.submitChargeback(at(shop, 'live'), id, form({ intent: 'rejected' }), cookies)).toBeNull()
  })
})

describe('the figures of the home page', () => {
  const figuresOf = async (shop: Shop, choice: Record<string, string> = {}, mode: 'test' | 'live' = 'test') =>
    (await admin.storefrontOverview(at(shop, mode), choice, cookies))?.figures

  test('the admin home page shows the figures of a range in one currency, with plans, countries, and cancellations', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    await pass(scenario, 'P1M')
    const [order] = await ordersOf(scenario)
    const refund = { intent: 'refund', [`amount.${order.lines[0].id}`]: '40.00' }
    await admin.submitOrder(at(scenario.shop), order.id, form(refund), cookies)
    await pass(scenario, 'P1D')
    const { actions = [] } = (await admin.subscriptionPage(at(scenario.shop), scenario.id, cookies)) ?? {}
    const terms = actions.find(({ action }) => action === 'cancelNow')?.terms ?? ''
    await factories.pay(scenario.key, await factories.aCheckout(scenario.key, scenario.planId), {
      country: 'FR',
      email: 'second@example.com',
    })
    await admin.submitSubscription(at(scenario.shop), scenario.id, form({ intent: 'cancelNow', terms }), cookies)
    await closeFigures(scenario.shop.scope)

    const eur = (value: string) => ({ value, currency: 'EUR' })
    const months = await figuresOf(scenario.shop, { range: '12m' })
    expect(months).toMatchObject({ range: '12m', currency: 'EUR', completeUntil: null })
    expect(months?.periods.slice(-2)).toMatchObject([
      { from: '2027-01-01', to: '2027-01-31', netRevenue: eur('100.00'), mrr: eur('100.00'), new: eur('100.00') },
      { from: '2027-02-01', to: '2027-02-02', netRevenue: eur('160.00'), mrr: eur('100.00'), churn: eur('100.00') },
    ])
    expect(months?.netRevenue.value).toEqual(eur('260.00'))
    expect(months?.plans).toEqual([
      { name: expect.any(String), url: expect.stringContaining(scenario.planId), mrr: eur('100.00') },
    ])
    expect(months?.countries).toEqual([
      { country: 'NL', netRevenue: eur('160.00') },
      { country: 'FR', netRevenue: eur('100.00') },
    ])
    expect(months?.cancellations).toEqual([{ reason: 'merchant_request', count: 1 }])

    const days = await figuresOf(scenario.shop)
    expect(days?.periods).toHaveLength(30)
    expect(days?.churn.value).toBe(1)
    const weeks = await figuresOf(scenario.shop, { range: '90d', currency: 'SEK' })
    expect([weeks?.periods.length, weeks?.currency]).toEqual([13, 'EUR'])
  })

  test('the admin home page shows figures in the most used currency, and links to the other currencies', async () => {
    const { shop, key: storefrontKey, planId } = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    for (const email of ['a@example.com', 'b@example.com'])
      await factories.pay(storefrontKey, await factories.aCheckout(storefrontKey, planId), {
        country: 'GB',
        currency: 'GBP',
        email,
      })
    await pass({ key: storefrontKey }, 'P2D')
    await closeFigures(shop.scope)
    const figures = await figuresOf(shop)
    expect(figures?.mrr.value).toEqual({ value: '173.00', currency: 'GBP' })
    expect(figures?.currencies.map(({ name, isCurrent }) => [name, isCurrent])).toEqual([
      ['GBP', true],
      ['EUR', false],
    ])
    expect((await figuresOf(shop, { currency: 'EUR' }))?.mrr.value).toEqual({ value: '100.00', currency: 'EUR' })
    expect((await figuresOf(shop, {}, 'live'))?.netRevenue.value).toEqual({ value: '0.00', currency: 'EUR' })
  })

  test('the admin home page states the last counted day if the job that counts figures is late', async () => {
    const { shop, key: storefrontKey } = await subscriptionScenario()
    await pass({ key: storefrontKey }, 'P20D')
    expect((await figuresOf(shop))?.completeUntil).toBe('2026-12-31')
    await closeFigures(shop.scope)
    expect((await figuresOf(shop))?.completeUntil).toBeNull()
  })
})
