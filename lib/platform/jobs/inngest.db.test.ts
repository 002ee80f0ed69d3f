import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endVerification } from '../../modules/billing-updates/tasks.ts'
import { sendAnswer } from '../../modules/chargebacks/tasks.ts'
import { sealAddress } from '../../modules/emails/sealed-address.ts'
import { sendEmail } from '../../modules/emails/tasks.ts'
import { transact } from '../../modules/events/transact.ts'
import { planClosing } from '../../modules/figures/operations.ts'
import { planChecks, requestCheck } from '../../modules/invariants/operations.ts'
import { balanceIncreased } from '../../modules/ledger/tasks.ts'
import { emailPasswordLink, recordPasswordLock } from '../../modules/operators/tasks.ts'
import { readMandate, remindOfTransfer, returnPayment, revokeMandate } from '../../modules/payments/tasks.ts'
import { scheduledPayout } from '../../modules/payouts/tasks.ts'
import { eraseDocuments, eraseResponses, forgetAtProvider } from '../../modules/personal-data/tasks.ts'
import { emailChangeLink, emailPortalLink } from '../../modules/portal/tasks.ts'
import { recoveryStep } from '../../modules/recovery/tasks.ts'
import { sendRefund, windowEnd } from '../../modules/refunds/tasks.ts'
import {
  askForMissingMethod,
  chargeNotice,
  chargePayment,
  checkLimits,
  periodEnd,
} from '../../modules/subscriptions/tasks.ts'
import { checkTaxIdLater } from '../../modules/tax/tasks.ts'
import { runFastForward, runSimulation } from '../../modules/test-helpers/tasks.ts'
import { endReturn, returnDirectDebit } from '../../providers/sandbox/tasks.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { configure } from '../../testing/configure.ts'
import { aCheckout, anEndpoint, aPlan, pay } from '../../testing/factories.ts'
import { anInngestServer, resultOf } from '../../testing/inngest-server.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { aShop, buyerForm, germanVisitor, type Shop, tokenOf } from '../../testing/shop.ts'
import { move, raise } from '../../workflows/chargeback/operations.ts'
import { planRemoval } from '../../workflows/retention/operations.ts'
import { submitCheckout } from '../../workflows/sale/submit-checkout.ts'
import { chooseOutcome } from '../../workflows/test-payment-page/submit-test-payment.ts'
import * as config from '../config.ts'
import { db } from '../db/db.ts'
import { type Functions, inngestFunctions } from './inngest.ts'
import { claimStreams, dueStreams } from './streams.ts'
import type { ClaimedTask } from './task-runner.ts'
import { queues } from './tasks.ts'
import { claimDueTasks, startWorker, stopWorker } from './worker.ts'

let server: Awaited<ReturnType<typeof anInngestServer>>
let hook: Awaited<ReturnType<typeof aReceiver>>
let functions: Functions
let shop: Shop

beforeAll(async () => {
  server = await anInngestServer()
  server.behavior = 'forgets'
  configure(server.environment)
  functions = inngestFunctions(jobs)
  server.app = functions
  hook = await aReceiver()
  shop = await aShop()
})
afterAll(async () => {
  await stopWorker()
  await Promise.all([server.close(), hook.close()])
})

async function tasksOfNothing(): Promise<void> {
  const at = <Data>(data: Data) => [{ key: `nothing ${Math.random()}`, data, dueAt: new Date() }]
  await transact(shop.scope, async ({ enqueueAll }) => {
    await enqueueAll(periodEnd, at({ subscriptionId: 'subscription_0', endsAt: '2027-01-01T00:00:00Z' }))
    await enqueueAll(chargePayment, at({ paymentId: 'payment_0' }))
    await enqueueAll(recoveryStep, at({ recoveryId: 'recovery_0', stepsDone: 0 }))
    await enqueueAll(sendEmail, at({ mailId: 'mail_0' }))
    await enqueueAll(runFastForward, at({ id: 'fast_forward_0' }))
    await enqueueAll(runSimulation, at({ id: 'simulation_0' }))
    await enqueueAll(windowEnd, at({ refundId: 'refund_0' }))
    await enqueueAll(sendRefund, at({ refundId: 'refund_0' }))
    await enqueueAll(returnPayment, at({ paymentId: 'payment_0' }))
    await enqueueAll(revokeMandate, at({ mandateId: 'mandate_0' }))
    await enqueueAll(balanceIncreased, at({ currency: 'EUR' }))
    await enqueueAll(endVerification, at({ orderId: 'order_0' }))
    await enqueueAll(returnDirectDebit, at({ ref: 'tr_0' }))
    await enqueueAll(endReturn, at({ ref: 'tr_0' }))
    const endsAt = '2027-01-01T00:00:00Z'
    await enqueueAll(chargeNotice, at({ subscriptionId: 'subscription_0', endsAt, kind: 'renewal_notice' }))
    const toNobody = { key: 'key_0', sealedEmail: sealAddress('nobody@example.com', 'key_0') }
    await enqueueAll(emailPortalLink, at(toNobody))
    await enqueueAll(emailChangeLink, at({ changeId: 'email_change_0' }))
    const taxCheck = { taxId: 'DE1', country: 'DE', freshSince: endsAt, begunAt: endsAt }
    await enqueueAll(checkTaxIdLater, at(taxCheck))
    await enqueueAll(eraseDocuments, at({ customerId: 'customer_0' }))
    await enqueueAll(forgetAtProvider, at({ customerId: 'customer_0', provider: 'sandbox' }))
    await enqueueAll(eraseResponses, at({ customerId: 'customer_0', sessionIds: [] }))
    await enqueueAll(emailPasswordLink, at(toNobody))
    const lock = { address: '192.0.2.1', failedLogins: 5, lockedUntil: endsAt }
    await enqueueAll(recordPasswordLock, at({ ...toNobody, ...lock }))
    await enqueueAll(readMandate, at({ mandateId: 'mandate_0' }))
    await enqueueAll(remindOfTransfer, at({ paymentId: 'payment_0' }))
    await enqueueAll(askForMissingMethod, at({ subscriptionId: 'subscription_0' }))
    await enqueueAll(sendAnswer, at({ chargebackId: 'chargeback_0' }))
    await enqueueAll(scheduledPayout, at({ at: endsAt }))
    await enqueueAll(checkLimits, at({ subscriptionId: 'subscription_0', endsAt }))
  })
}

async function oneTaskOfEach(): Promise<void> {
  const key = shop.testKey
  await anEndpoint(key, `${hook.url}/${Math.random()}`, { enabledEvents: ['subscription_plan.update_submitted'] })
  const plan = await aPlan(key)
  await send(`PATCH /v1/subscription-plans/${plan.id}`, { key, body: { name: 'Pro 2' } })
  const checkout = await aCheckout(key, plan.id)
  const next = await submitCheckout(
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
  await planRemoval()
  await planClosing()
  await requestCheck()
  await db().$executeRaw`UPDATE tasks SET run_at = now() - interval '1 second'`
}

const ask = ({ taskId, name }: ClaimedTask, signed: { key?: string | null; t?: number } = {}) =>
  server.request(`billhook/${name}`, [taskId], signed)
const claimed = async (isHandedOver = true) => {
  const single = await Promise.all(queues.map((queue) => claimDueTasks(queue, 100, 90_000, isHandedOver)))
  return [...single.flat(), ...(await claimStreams(await dueStreams(), 90_000, isHandedOver))]
}

describe('Inngest', () => {
  it('registration with Inngest is signed and uses the configured address, not the Host header', async () => {
    const put = new Request('http://evil.example/api/inngest', { method: 'PUT', headers: { host: 'evil.example' } })
    expect((await functions.handler(put)).status).toBe(200)
    const [registration] = server.registrations()
    const hashed = createHash('sha256').update(Buffer.from(server.hex, 'hex')).digest('hex')
    expect(registration?.headers.authorization).toBe(`Bearer signkey-test-${hashed}`)
    expect(registration?.body).toMatchObject({ appName: 'billhook', url: 'http://billhook.test/api/inngest' })
    const registered = registration?.body.functions.map(
      ({ triggers }: { triggers: { event: string }[] }) => triggers[0]?.event,
    )
    expect(registered.sort()).toEqual(
      [...jobs.map(({ name }) => `billhook/${name}`), 'billhook/task_server.probe'].sort(),
    )
    expect(registration?.text).not.toContain('evil')
    expect(registration?.text).not.toContain(server.hex)
  })

  it('due tasks are sent to Inngest as events that contain only row ids', async () => {
    await oneTaskOfEach()
    startWorker(functions.runner, functions.embedded)
    const sent = () => server.sent()
    const names = () => [...new Set(sent().map(({ name }) => name))].sort()
    await expect.poll(names).toEqual(jobs.map(({ name }) => `billhook/${name}`).sort())
    await stopWorker()
    for (const { id, data } of sent()) {
      expect(id).toMatch(new RegExp(`^${data.taskIds[0]}:\\d+$`))
      expect(Object.keys(data)).toEqual(['taskIds'])
    }
    const rows = await db().tasks.findMany({ where: { stream: null } })
    expect(rows.map((row) => row.id).sort()).toEqual(
      sent()
        .flatMap(({ data }) => data.taskIds)
        .sort(),
    )
    for (const row of rows) {
      expect(row.handed_over_at?.getTime()).toBeGreaterThan(Date.now() - 60_000)
      expect(row.leased_until?.getTime()).toBeLessThanOrEqual(Date.now() + 30_000)
    }
    await db().$executeRaw`UPDATE tasks SET run_at = now() - interval '1 second'`
  })

  it('a signed POST from Inngest runs each task exactly once', async () => {
    const handedOver = await claimed()
    expect(new Set(handedOver.map(({ name }) => name))).toEqual(new Set(jobs.map(({ name }) => name)))
    for (const task of handedOver) {
      const response = await ask(task)
      expect([task.name, await resultOf(response)]).toEqual([task.name, { ran: 1 }])
      const left = await db().tasks.findUnique({ where: { id: task.taskId } })
      expect([task.name, left?.last_error ?? null]).toEqual([task.name, null])
      const again = await ask(task)
      expect([task.name, await resultOf(again)]).toEqual([task.name, { ran: 0 }])
    }
    expect(hook.events().map(({ body }) => body.eventName)).toEqual(['subscription_plan.update_submitted'])
    expect(await db().events.count({ where: { name: 'subscription_plan.update_approved' } })).toBe(1)
  })

  it('Inngest requests without a valid, recent signature are refused and run nothing', async () => {
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

describe('large request bodies', () => {
  function endless() {
    const sent = { bytes: 0 }
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent.bytes >= 64 * 1_048_576) return controller.close()
        sent.bytes += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    return { sent, body }
  }

  it.each(['POST', 'PUT'])(
    'a %s request to the Inngest endpoint is refused when its body exceeds 1 MB',
    async (method) => {
      const { sent, body } = endless()
      const headers = { host: 'billhook.test', 'content-type': 'application/json' }
      const init = { method, headers, body, duplex: 'half' }
      const request = new Request('http://billhook.test/api/inngest', init)
      expect((await functions.handler(request)).status).toBe(413)
      expect(sent.bytes).toBeLessThan(2 * 1_048_576)
    },
  )
})

describe('embedded runner', () => {
  it('the embedded runner runs every job in this process, without requests to Inngest', async () => {
    const ids = functions.functions.map((each) => each.id())
    expect(ids.sort()).toEqual([...jobs.map(({ name }) => name.replaceAll(/[._]/g, '-')), 'task-server-probe'].sort())
    await db().tasks.deleteMany()
    await oneTaskOfEach()
    server.requests.length = 0
    for (const task of await claimed(false)) {
      await functions.embedded.run(task)
      const left = await db().tasks.findUnique({ where: { id: task.taskId } })
      expect([task.name, left?.leased_until ?? null, left?.last_error ?? null]).toEqual([task.name, null, null])
    }
    expect(server.requests).toEqual([])
  })

  it('the embedded runner does nothing for a deleted task', async () => {
    const before = await db().tasks.count()
    await functions.embedded.run({ name: 'no.such', taskId: 'task_1', claimVersion: 1 })
    expect(await db().tasks.count()).toBe(before)
  })
})

describe('no Inngest server', () => {
  it('without Inngest settings, the Inngest endpoint returns 404 and tasks run in this process', async () => {
    const inngest = vi.spyOn(config, 'config').mockReturnValue({ ...config.config(), inngest: null })
    const local = inngestFunctions(jobs)
    expect(local.runner).toBe(local.embedded)
    expect((await local.handler(new Request('http://billhook.test/api/inngest', { method: 'PUT' }))).status).toBe(404)
    inngest.mockRestore()
  })
})
