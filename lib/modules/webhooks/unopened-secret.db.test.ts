import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { log } from '../../platform/log.ts'
import { tasks } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { configure } from '../../testing/configure.ts'
import { deliverPatiently } from '../../testing/patience.ts'
import { aReceiver, isSigned } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { advanceByDuration } from '../../workflows/test-helpers/operations.ts'
import { transact } from '../events/transact.ts'

/** These tests use a secret that was encrypted with a key that is no longer configured. */

deliverPatiently()

const here = process.env.SECRET_KEY
const secret = 'whsec_0123456789'
let shop: Shop
let receiver: Awaited<ReturnType<typeof aReceiver>>
let id: string

beforeEach(async () => {
  await receiver?.close()
  receiver = await aReceiver()
  shop = await aShop()
  configure({ SECRET_KEY: 'another secret than it was, long enough' })
  const body = { url: receiver.url, secret }
  id = (await send('POST /v1/webhook-endpoints', { key: shop.testKey, body })).body.id
  configure({ SECRET_KEY: here })
})
afterAll(() => receiver.close())

const call = (line: string, body?: object) => send(line, { key: shop.testKey, ...(body && { body }) })
const emit = () => transact(shop.scope, (tx) => tx.emit({ name: 'order.paid', object: { id: 'order_1' } }))
const delivery = () => db().deliveries.findFirstOrThrow({ where: { endpoint_id: id } })
const attempts = () =>
  db().delivery_attempts.findMany({ where: { delivery: { endpoint_id: id } }, orderBy: { number: 'asc' } })

it('a webhook endpoint with an unreadable secret can be listed, read, changed, and deleted', async () => {
  expect((await call('GET /v1/webhook-endpoints')).body.data).toMatchObject([{ id }])
  expect((await call(`GET /v1/webhook-endpoints/${id}`)).status).toBe(200)
  const names = ['order.paid']
  const changed = await call(`PATCH /v1/webhook-endpoints/${id}`, { enabledEvents: names })
  expect([changed.status, changed.body.enabledEvents]).toEqual([200, names])
  expect((await call(`DELETE /v1/webhook-endpoints/${id}`)).status).toBe(204)
})

it('a webhook endpoint with an unreadable secret accepts a new URL only together with a new secret', async () => {
  const url = `${receiver.url}/moved`
  const refused = await call(`PATCH /v1/webhook-endpoints/${id}`, { url })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { secret: ['Is required, because the stored secret can no longer be decrypted.'] },
  ])
  const moved = await call(`PATCH /v1/webhook-endpoints/${id}`, { url, secret: 'whsec_another_one' })
  expect([moved.status, moved.body.url]).toEqual([200, url])
})

it('a webhook endpoint with an unreadable secret receives its events after a new secret is set', async () => {
  const logged = vi.spyOn(log, 'error').mockReturnValue()
  await emit()
  await runDueTasks()
  expect(receiver.events()).toEqual([])
  expect(logged).toHaveBeenCalledWith({ endpointId: id }, 'the secret of a webhook endpoint cannot be decrypted')
  logged.mockRestore()
  const put = await delivery()
  expect(put).toMatchObject({ status: 'pending', attempts: 1, next_attempt_at: expect.any(Date) })
  const error = 'The delivery was not sent, because the secret of the endpoint cannot be decrypted. Set a new secret.'
  expect(await attempts()).toMatchObject([{ status: null, error, signature: null }])
  await call(`PATCH /v1/webhook-endpoints/${id}`, { secret })
  await advanceByDuration(shop.scope, { to: put.next_attempt_at as Date }, tasks.embedded)
  expect((await delivery()).status).toBe('delivered')
  expect(receiver.events().map((sent) => isSigned(sent, secret))).toEqual([true])
})
