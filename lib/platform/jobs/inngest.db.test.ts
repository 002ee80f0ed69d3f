import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endVerification } from '../../modules/billing-updates/tasks.ts'
import { sendEmail } from '../../modules/emails/tasks.ts'
import { deliverWebhook } from '../../modules/events/tasks.ts'
import { transact } from '../../modules/events/transact.ts'
import { planChecks } from '../../modules/invariants/operations.ts'
import { balanceIncreased } from '../../modules/ledger/tasks.ts'
import { emailPasswordLink } from '../../modules/operators/tasks.ts'
import { emailChangeLink, emailPortalLink } from '../../modules/portal/tasks.ts'
import { recoveryStep } from '../../modules/recovery/tasks.ts'
import { sendRefund, windowEnd } from '../../modules/refunds/tasks.ts'
import { charge, chargeNotice, periodEnd } from '../../modules/subscriptions/tasks.ts'
import { runFastForward, runSimulation } from '../../modules/test-helpers/tasks.ts'
import { endReturn, returnDirectDebit } from '../../providers/sandbox/tasks.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, anEndpoint, aPlan, pay } from '../../testing/factories.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { aShop, buyerForm, germanVisitor, type Shop, tokenOf } from '../../testing/shop.ts'
import { move, raise } from '../../workflows/chargeback/operations.ts'
import { sealedEmailAt as passwordEmailAt } from '../../workflows/password-reset/link.ts'
import { sealedEmailAt as portalEmailAt } from '../../workflows/portal-sign-in/email-link.ts'
import { submit } from '../../workflows/sale/hosted.ts'
import { chooseOutcome } from '../../workflows/test-payment-page/hosted.ts'
import * as config from '../config.ts'
import { seal } from '../crypto/sealed.ts'
import { db } from '../db/db.ts'
import { type Functions, inngestFunctions } from './inngest.ts'
import { claimStreams, dueStreams } from './streams.ts'
import type { ClaimedTask } from './task-runner.ts'
import { queues } from './tasks.ts'
import { claimDueTasks, startWorker, stopWorker } from './worker.ts'

/**
 * Tests the app's functions as an Inngest server sees them: over the wire format, with a fake server on this machine.
 */

const signingKey = `signkey-test-${'5ec4e7'.repeat(8)}`
const hex = signingKey.replace('signkey-test-', '')
let server: Awaited<ReturnType<typeof aReceiver>>
let hook: typeof server
let functions: Functions
let shop: Shop

beforeAll(async () => {
  server = await aReceiver((response, { path, body }) => {
    const answer = path.startsWith('/e/')
      ? { ids: body.map(() => 'event'), status: 200 }
      : { status: 200, modified: true }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  Object.assign(process.env, {
    INNGEST_SIGNING_KEY: signingKey,
    INNGEST_EVENT_KEY: 'event-key',
    INNGEST_BASE_URL: new URL(server.url).origin,
  })
  functions = inngestFunctions(jobs)
  hook = await aReceiver()
  shop = await aShop()
})
afterAll(async () => {
  await stopWorker()
  await Promise.all([server.close(), hook.close()])
})

/** Tasks of resources that do not exist: they complete and do nothing. */
async function tasksOfNothing(): Promise<void> {
  const at = <Data>(data: Data) => [{ key: `nothing ${Math.random()}`, data, dueAt: new Date() }]
  await transact(shop.scope, async ({ enqueueAll }) => {
    await enqueueAll(periodEnd, at({ subscriptionId: 'subscription_0', endsAt: '2027-01-01T00:00:00Z' }))
    await enqueueAll(charge, at({ paymentId: 'payment_0' }))
    await enqueueAll(recoveryStep, at({ recoveryId: 'recovery_0', stepsDone: 0 }))
    await enqueueAll(sendEmail, at({ mailId: 'mail_0' }))
    await enqueueAll(runFastForward, at({ id: 'fast_forward_0' }))
    await enqueueAll(runSimulation, at({ id: 'simulation_0' }))
    await enqueueAll(windowEnd, at({ refundId: 'refund_0' }))
    await enqueueAll(sendRefund, at({ refundId: 'refund_0' }))
    await enqueueAll(balanceIncreased, at({ currency: 'EUR' }))
    await enqueueAll(endVerification, at({ orderId: 'order_0' }))
    await enqueueAll(returnDirectDebit, at({ ref: 'tr_0' }))
    await enqueueAll(endReturn, at({ ref: 'tr_0' }))
    await enqueueAll(deliverWebhook, at({ deliveryId: 'delivery_0', before: 0 }))
    const endsAt = '2027-01-01T00:00:00Z'
    await enqueueAll(chargeNotice, at({ subscriptionId: 'subscription_0', endsAt, kind: 'renewal_notice' }))
    const sealedFor = (place: (key: string) => string) =>
      Buffer.from(seal('nobody@example.com', place('key_0'))).toString('base64')
    await enqueueAll(emailPortalLink, at({ key: 'key_0', sealedEmail: sealedFor(portalEmailAt) }))
    await enqueueAll(emailChangeLink, at({ changeId: 'email_change_0' }))
    await enqueueAll(emailPasswordLink, at({ key: 'key_0', sealedEmail: sealedFor(passwordEmailAt) }))
  })
}

/** One due task of every type: some created by the operations that need them, some without a resource. */
async function oneTaskOfEach(): Promise<void> {
  const key = shop.testKey
  await anEndpoint(key, `${hook.url}/${Math.random()}`, { enabledEvents: ['subscription_plan.update_submitted'] })
  const plan = await aPlan(key)
  await send(`PATCH /v1/subscription-plans/${plan.id}`, { key, body: { name: 'Pro 2' } })
  const checkout = await aCheckout(key, plan.id)
  const next = await submit(
    tokenOf(checkout.links.checkoutUrl.href),
    buyerForm({ paymentMethod: 'directdebit' }),
    germanVisitor,
  )
  await chooseOutcome(tokenOf(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid', mandate: 'valid' }))
  const { orderId } = await pay(key, await aCheckout(key, plan.id))
  const { chargebackId } = await raise(orderId, { reason: 'fraud', amount: '9999.00' })
  await move(chargebackId, 'rejected')
  await tasksOfNothing()
  await planChecks()
  await db().$executeRaw`UPDATE tasks SET run_at = now() - interval '1 second'`
}

/** A run as the server requests it, signed with `key` at `t` (unix seconds). */
function ask(
  { taskId, claimVersion, name }: ClaimedTask,
  { key = hex, t = Math.floor(Date.now() / 1000) }: { key?: string | null; t?: number } = {},
) {
  const functionId = `billhook-${name.replaceAll(/[._]/g, '-')}`
  const event = { id: 'event', name: `billhook/${name}`, data: { claimVersion, taskId }, ts: 0 }
  const ctx = { attempt: 0, fn_id: functionId, run_id: 'run', stack: { current: 0, stack: [] } }
  const body = JSON.stringify(sorted({ ctx, event, events: [event], steps: {}, version: 2 }))
  const signature =
    key === null
      ? {}
      : { 'x-inngest-signature': `t=${t}&s=${createHmac('sha256', key).update(body).update(String(t)).digest('hex')}` }
  return functions.handler(
    new Request(`http://billhook.test/api/inngest?fnId=${functionId}&stepId=step`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'billhook.test', ...signature },
      body,
    }),
  )
}

/** Sorts keys at every level: the signature covers the canonical JSON (RFC 8785). */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}
/** A completed run is reported as its result, or as the operation that completes it. */
async function resultOf(response: Response): Promise<unknown> {
  const body = await response.json()
  if (response.status !== 206) return body
  expect(body).toMatchObject([{ op: 'RunComplete' }])
  return body[0].data
}
const claimed = async () => {
  const single = await Promise.all(queues.map((queue) => claimDueTasks(queue, 100, 90_000)))
  return [...single.flat(), ...(await claimStreams(await dueStreams(), 90_000))]
}

describe('with an Inngest server', () => {
  it('registers every function, signed, under the configured address whatever the Host header says', async () => {
    const put = new Request('http://evil.example/api/inngest', { method: 'PUT', headers: { host: 'evil.example' } })
    expect((await functions.handler(put)).status).toBe(200)
    const registration = server.requests.find(({ path }) => path === '/fn/register')
    const hashed = createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
    expect(registration?.headers.authorization).toBe(`Bearer signkey-test-${hashed}`)
    expect(registration?.body).toMatchObject({ appName: 'billhook', url: 'http://billhook.test/api/inngest' })
    const registered = registration?.body.functions.map(
      ({ triggers }: { triggers: { event: string }[] }) => triggers[0]?.event,
    )
    expect(registered.sort()).toEqual(jobs.map(({ name }) => `billhook/${name}`).sort())
    expect(registration?.text).not.toContain('evil')
    expect(registration?.text).not.toContain(hex)
  })

  it('sends due tasks to it as events that contain only the row’s id and claim version', async () => {
    await oneTaskOfEach()
    startWorker(functions.runner, functions.embedded)
    const sent = () => server.requests.filter(({ path }) => path === '/e/event-key').flatMap(({ body }) => body)
    await expect.poll(() => new Set(sent().map(({ name }) => name)).size).toBe(jobs.length)
    await stopWorker()
    for (const { id, data } of sent()) {
      expect(id).toBe(`${data.taskId}:${data.claimVersion}`)
      expect(Object.keys(data).sort()).toEqual(['claimVersion', 'taskId'])
    }
    const rows = await db().tasks.findMany({ where: { stream: null } })
    expect(rows.length).toBe(sent().length)
    for (const row of rows) expect(row.leased_until?.getTime()).toBeGreaterThan(Date.now() + 500_000) // leased to the server for ten minutes
    await db().$executeRaw`UPDATE tasks SET run_at = now() - interval '1 second'` // the server ran none of them
  })

  it('runs each task once by a signed POST', async () => {
    const rungs = await claimed()
    expect(new Set(rungs.map(({ name }) => name))).toEqual(new Set(jobs.map(({ name }) => name)))
    for (const task of rungs) {
      const response = await ask(task)
      expect([task.name, await resultOf(response)]).toEqual([task.name, true])
      const left = await db().tasks.findUnique({ where: { id: task.taskId } })
      expect([task.name, left?.last_error ?? null]).toEqual([task.name, null])
      const again = await ask(task)
      const ranAgain = left !== null && left.claim_version === task.claimVersion
      expect([task.name, await resultOf(again)]).toEqual([task.name, ranAgain])
    }
    expect(hook.events().map(({ body }) => body.eventName)).toEqual(['subscription_plan.update_submitted'])
    expect(await db().events.count({ where: { name: 'subscription_plan.update_approved' } })).toBe(1)
  })

  it('refuses requests that are unsigned, forged or too old, and runs nothing', async () => {
    await db().tasks.deleteMany()
    await oneTaskOfEach()
    const [task] = await claimed()
    if (!task) throw new Error('nothing is due')
    const before = await db().tasks.findUnique({ where: { id: task.taskId } })
    const tenMinutesAgo = Math.floor(Date.now() / 1000) - 600
    for (const forged of [{ key: null }, { key: 'f'.repeat(48) }, { t: tenMinutesAgo }]) {
      expect((await ask(task, forged)).status).toBe(401)
    }
    const unsigned = new Request('http://billhook.test/api/inngest', { headers: { host: 'billhook.test' } })
    expect((await functions.handler(unsigned)).status).toBe(401)
    expect(await db().tasks.findUnique({ where: { id: task.taskId } })).toEqual(before)
  })
})

describe('the embedded runner', () => {
  it('runs the same functions in this process, to their end', async () => {
    const ids = functions.functions.map((each) => each.id())
    expect(ids.sort()).toEqual(jobs.map(({ name }) => name.replaceAll(/[._]/g, '-')).sort())
    await db().tasks.deleteMany()
    await oneTaskOfEach()
    server.requests.length = 0
    for (const task of await claimed()) {
      await functions.embedded.run(task)
      const left = await db().tasks.findUnique({ where: { id: task.taskId } })
      expect([task.name, left?.leased_until ?? null, left?.last_error ?? null]).toEqual([task.name, null, null])
    }
    expect(server.requests).toEqual([])
  })

  it('does nothing about a task that is gone', async () => {
    const before = await db().tasks.count()
    await functions.embedded.run({ name: 'no.such', taskId: 'task_1', claimVersion: 1 })
    expect(await db().tasks.count()).toBe(before)
  })
})

describe('without a configured server', () => {
  it('serves no handler and runs tasks in this process', async () => {
    const inngest = vi.spyOn(config, 'config').mockReturnValue({ ...config.config(), inngest: null })
    const local = inngestFunctions(jobs)
    expect(local.runner).toBe(local.embedded)
    expect((await local.handler(new Request('http://billhook.test/api/inngest', { method: 'PUT' }))).status).toBe(404)
    inngest.mockRestore()
  })
})
