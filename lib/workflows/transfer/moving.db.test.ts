import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { POST as submitRoute } from '@/app/(hosted)/checkout/[token]/submit/route.ts'
import { POST as createPlan } from '@/app/v1/subscription-plans/route.ts'
import { db } from '../../platform/db/db.ts'
import { isUnavailable } from '../../platform/db/unavailable.ts'
import { send } from '../../testing/api.ts'
import { answer, cli, isRefused } from '../../testing/command-line.ts'
import { killedAt } from '../../testing/crash.ts'
import * as factories from '../../testing/factories.ts'
import {
  anInstallation,
  brokenIn,
  first,
  type Installation,
  transferFolder,
  workIn,
} from '../../testing/installations.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aReceiver, type Receiver } from '../../testing/receiver.ts'
import { runDueTasks, tokenOf } from '../../testing/shop.ts'
import { get, ordersOf, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { hold, release } from './hold.ts'

const { exporting, importing } = transferFolder()
const visitor = { acceptLanguage: 'en', header: () => null }
let receiver: Receiver
let scenario: Scenario
let second: Installation

const of = () => scenario.shop.storefrontId
const held = async () => (await db().storefronts.findUniqueOrThrow({ where: { id: of() } })).held_at !== null
const reads = async () => {
  const paths = ['/v1/orders', '/v1/subscriptions', '/v1/customers', '/v1/checkouts', '/v1/subscription-plans']
  const rest = ['/v1/webhook-endpoints', '/v1/refunds', '/v1/chargebacks', `/v1/subscriptions/${scenario.id}`]
  const all: unknown[] = []
  for (const path of [...paths, ...rest]) all.push(await get(scenario.key, path))
  // SECRET_KEY signs links, so the signatures differ between installations.
  return JSON.stringify(all).replaceAll(/(?<=\/(?:invoices|checkout)\/\w{22})[\w-]{22}(?=")/g, '')
}
/** Expects the response for an unavailable database, after which the caller can retry until the move is done. */
const isPutOff = (line: string, { key, body }: { key: string; body?: object }) =>
  expect(send(line, { key, ...(body && { body }) })).rejects.toThrow('"code":"unavailable"')

beforeAll(async () => {
  receiver = await aReceiver()
  return () => receiver.close()
})
beforeEach(async () => {
  await workIn(first)
  scenario = await subscriptionScenario()
  await factories.anEndpoint(scenario.key, receiver.url)
  await runDueTasks()
  second = await anInstallation()
})

describe('a storefront that moves to another installation', () => {
  it('a moved storefront gives the same responses and renews exactly once in the new installation', async () => {
    const [asked, { checkout }] = [{ email: 'new@example.com' }, { checkout: await aCheckout() }]
    const repeated = { key: scenario.key, body: asked, headers: { 'Idempotency-Key': 'moves' } }
    const customer = await send('POST /v1/customers', repeated)
    await runDueTasks()
    const before = await reads()
    const delivered = receiver.requests.length
    await answer(`${exporting(of(), 'moves', 'move')} --json`)

    await workIn(second)
    await answer(`${importing('moves')} --json`)
    await workIn(second)
    expect(await brokenIn(second)).toEqual([])
    expect(await reads()).toEqual(before)
    expect(await runDueTasks()).toBe(0)
    await answer(`storefront release --storefront ${of()} --json`)
    await workIn(second)
    expect(await reads()).toEqual(before)
    expect(await send('POST /v1/customers', repeated)).toMatchObject({ status: 201, body: { id: customer.body.id } })
    await pass(scenario, 'P32D')
    const orders = await ordersOf(scenario)
    expect(orders.map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid'])
    expect(orders.map(({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber)).toEqual([
      'TEST-INV-2027-000001',
      'TEST-INV-2027-000002',
    ])
    expect(receiver.requests.length).toBeGreaterThan(delivered)
    expect(await brokenIn(second)).toEqual([])
    // The new installation does not know a link of the old installation.
    expect(await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), new URLSearchParams(), visitor)).toBeNull()
  })

  it('no task, API call, or page changes a storefront on hold', async () => {
    const checkout = await aCheckout()
    await runDueTasks()
    await answer(`${exporting(of(), 'stands', 'move')} --json`)
    await workIn(first)
    const before = await ordersOf(scenario)
    expect(await runDueTasks()).toBe(0)
    await isPutOff('POST /v1/test-helpers/clock/advance', { key: scenario.key, body: { by: 'P32D' } })
    await isPutOff(`DELETE /v1/subscriptions/${scenario.id}`, { key: scenario.key })
    const url = 'http://billhook.test/v1/subscription-plans'
    const { shop } = scenario
    const headers = { authorization: `Bearer ${shop.liveKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify(factories.planBody())
    const call = await createPlan(new Request(url, { method: 'POST', headers, body }), { params: Promise.resolve({}) })
    expect([call.status, call.headers.get('retry-after')]).toEqual([503, '60'])
    await isPutOff('POST /v1/subscription-plans', { key: scenario.shop.liveKey, body: factories.planBody() })
    const form = new URLSearchParams({
      email: 'eve@example.com',
      fullName: 'Eve',
      country: 'NL',
      paymentMethod: 'creditcard',
    })
    expect((await isRefused(`clock advance --storefront ${of()} --by 1h`)).message).toMatch(
      /^The storefront is on hold/,
    )
    await workIn(first)
    const token = tokenOf(checkout.links.checkoutUrl.href)
    expect(await checkoutPage(token, visitor)).toMatchObject({ state: 'suspended' })
    const begun = await db().payments.count({ where: { storefront_id: of() } })
    const posted = new Request(`http://billhook.test/checkout/${token}/submit`, { method: 'POST', body: form })
    const page = await submitRoute(posted, { params: Promise.resolve({ token }) })
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '60'])
    await submitCheckout(token, form, visitor).catch((error) => expect(isUnavailable(error)).toBe(true))
    expect(await db().payments.count({ where: { storefront_id: of() } })).toBe(begun)
    expect(await ordersOf(scenario)).toEqual(before)
    await answer(`storefront release --storefront ${of()} --json`)
    await workIn(first)
    await pass(scenario, 'P32D')
    expect(await ordersOf(scenario)).toHaveLength(2)
    expect(await brokenIn(first)).toEqual([])
  })

  it('putting a storefront on hold waits for open transactions in each mode, and later transactions are refused', async () => {
    for (const [testmode, key] of [
      [true, scenario.key],
      [false, scenario.shop.liveKey],
    ] as const) {
      const lock = testmode ? 20261122 : 20261124
      const inProgress = { sql: `SELECT pg_advisory_xact_lock_shared(${lock}, hashtext($1))`, values: [of()] }
      const [ended] = await raceBehind(inProgress, [() => hold(of())], 1, async () => expect(await held()).toBe(false))
      expect(ended?.status).toBe('fulfilled')
      await isPutOff('POST /v1/customers', { key, body: { email: 'c@d.example' } })
      await release(of())
    }
  })

  it('if the process is killed at any query of a hold, the hold takes effect completely or not at all, and a later export succeeds', async () => {
    let n = 1
    for (; await killedAt(n, 'after', () => hold(of())); n++) {
      const { held_at } = await db().storefronts.findUniqueOrThrow({ where: { id: of() } })
      const parked = await db().tasks.count({ where: { storefront_id: of(), run_at: { gt: new Date('9999-01-01') } } })
      const tasks = await db().tasks.count({ where: { storefront_id: of() } })
      expect([held_at === null, parked]).toEqual([held_at === null, held_at === null ? 0 : tasks])
      if (held_at !== null) await release(of())
    }
    expect(n).toBeGreaterThan(5)
    await answer(`${exporting(of(), `again-${n}`, 'move')} --json`)
  })
})

describe('a move whose export fails', () => {
  const damage = () => db().$executeRaw`UPDATE webhook_endpoints SET sealed_secret =
    set_byte(sealed_secret, 20, 255 - get_byte(sealed_secret, 20)) WHERE storefront_id = ${of()}`

  it('after a failed export, the storefront is released, unless the storefront was on hold before the export', async () => {
    await damage()
    const failed = async (name: string) => {
      expect((await isRefused(exporting(of(), name, 'move'))).message).toMatch(
        /^--storefront: The encrypted value at [^.]*\.$/,
      )
      await workIn(first)
    }
    await failed('goes-on')
    expect(await held()).toBe(false)
    expect(await db().tasks.count({ where: { storefront_id: of(), run_at: { gt: new Date('9999-01-01') } } })).toBe(0)
    await hold(of())
    await failed('was-held')
    expect(await held()).toBe(true)
    await damage()
    await answer(`${exporting(of(), 'was-held', 'move')} --json`)
    await workIn(first)
    expect(await held()).toBe(true)
  })

  it('a failed export reports that the storefront is still on hold if the storefront cannot be released', async () => {
    await damage()
    await db().$executeRawUnsafe(
      `ALTER TABLE storefronts ADD CONSTRAINT stays CHECK (id <> '${of()}' OR held_at IS NOT NULL) NOT VALID`,
    )
    const { stderr } = await cli(exporting(of(), 'stays', 'move'))
    await workIn(first)
    await db().$executeRaw`ALTER TABLE storefronts DROP CONSTRAINT stays`
    expect(stderr).toMatch(
      /^--storefront: The encrypted value at .* The storefront is still on hold\. If no other installation/,
    )
    expect(await held()).toBe(true)
  })
})

describe('a refused export or release', () => {
  it('while a test clock advances, an export is refused, and the storefront is not put on hold', async () => {
    await db()
      .$executeRaw`UPDATE clocks SET advancing_to = '2030-01-01', frozen_at = '2029-01-01' WHERE storefront_id = ${of()}`
    for (const as of ['move', 'copy'])
      expect((await isRefused(exporting(of(), 'clock', as))).message).toContain(
        'test clock of the storefront is being advanced',
      )
    expect(await held()).toBe(false)
    await db().$executeRaw`UPDATE clocks SET advancing_to = NULL, frozen_at = NULL WHERE storefront_id = ${of()}`
  })

  it('an export is refused for an unknown storefront, and a release is refused for a storefront that is not on hold', async () => {
    for (const as of ['move', 'copy'])
      expect((await isRefused(exporting('storefront_nothing', 'none', as))).message).toBe(
        '--storefront: There is no storefront with this id.',
      )
    expect((await isRefused(`storefront release --storefront ${of()}`)).message).toBe(
      '--storefront: The storefront is not on hold.',
    )
    await isRefused('storefront release --storefront storefront_nothing')
  })
})

const aCheckout = () => factories.aCheckout(scenario.key, scenario.planId)
