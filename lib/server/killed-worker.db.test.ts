import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enqueueEmails } from '../modules/emails/enqueue.ts'
import type { EmailContent } from '../modules/emails/rules/email.ts'
import { transact } from '../modules/events/transact.ts'
import { db } from '../platform/db/db.ts'
import { leaseMs } from '../platform/jobs/leases.ts'
import { startWorker, stopWorker } from '../platform/jobs/worker.ts'
import { configure } from '../testing/configure.ts'
import { type ServiceProcess, startWorkerProcess } from '../testing/service-process.ts'
import { aShop } from '../testing/shop.ts'
import { tasks } from './jobs.ts'

const connections: Socket[] = []
/** A mail server that accepts connections and never responds, so the process never finishes sending an email. */
const silent = createServer((socket) => {
  connections.push(socket)
  socket.on('error', () => undefined)
})
let worker: ServiceProcess

const content: EmailContent = {
  kind: 'payment_failed',
  customerId: null,
  subscriptionName: 'Pro',
  storefrontName: 'Lumen',
  seller: { name: 'Billhook Seller B.V.', addressLines: ['Keizersgracht 1'], country: 'NL' },
  customerName: 'Ada',
  amount: { value: '12.10', currency: 'EUR' },
  reason: 'temporary_decline',
  nextAttemptAt: '2026-11-22T12:00:00Z',
  isOfChange: false,
  updateUrl: 'https://pay.example.com/billing-update/secret-token',
}

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  configure({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@example.com', TEST_MAIL_TO: 'ada@example.com' })
  worker = await startWorkerProcess()
})
afterAll(async () => {
  for (const socket of connections) socket.destroy()
  await stopWorker()
  silent.close()
})

it('a task keeps its lease while its worker lives, and is claimed again seconds after the worker is killed', async () => {
  const shop = await aShop()
  await transact(shop.scope, (tx) => enqueueEmails(tx, [{ to: 'ada@example.com', locale: 'en', content }]))
  await expect.poll(() => connections.length).toBe(1)
  const lease = async () =>
    (await db().tasks.findFirst({ where: { name: 'email.send' } }))?.leased_until?.getTime() ?? 0
  // This worker must not claim the leased task.
  startWorker(tasks.embedded, tasks.embedded)
  // Prolongs the lease to an hour, twice. Each time, the next extension of the worker process must replace this lease.
  for (let extensions = 0; extensions < 2; extensions++) {
    await db().$executeRaw`
      UPDATE tasks SET leased_until = now() + interval '1 hour', run_at = now() + interval '1 hour'
      WHERE leased_until IS NOT NULL`
    await expect.poll(async () => (await lease()) - Date.now()).toBeLessThanOrEqual(leaseMs)
  }
  expect(connections.length).toBe(1)

  await worker.kill()
  // Workers poll twice a second, so another worker claims the task right after its lease expires.
  expect((await lease()) - Date.now()).toBeLessThanOrEqual(leaseMs)
  // Moves the end of the lease to the past, so that the test does not wait for the whole lease.
  await db().$executeRaw`
    UPDATE tasks SET leased_until = leased_until - ${leaseMs}::int * interval '1 millisecond',
      run_at = run_at - ${leaseMs}::int * interval '1 millisecond'
    WHERE leased_until IS NOT NULL`
  await expect.poll(() => connections.length).toBe(2)
})
