import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { send } from '../../testing/api.ts'
import { deliverPatiently } from '../../testing/patience.ts'
import { aReceiver, isSigned, type Received } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { auditLog } from '../audit/operations.ts'
import { transact } from '../events/transact.ts'
import { endPreviousSecret } from './end-previous-secret.ts'
import { listEndpoints, register, update } from './operations.ts'

deliverPatiently()

const [first, second, third] = ['whsec_the_first', 'whsec_the_second', 'whsec_the_third'] as const
let shop: Shop
let id: string
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeEach(async () => {
  await receiver?.close()
  receiver = await aReceiver()
  shop = await aShop()
  id = (await register(shop.scope, { url: receiver.url, secret: first })).id
})
afterAll(() => receiver.close())

const change = (secret: string) => update(shop.scope, id, { secret })
const row = () => db().webhook_endpoints.findUniqueOrThrow({ where: { id } })
const letOverlapEnd = () =>
  db().webhook_endpoints.update({ where: { id }, data: { previous_secret_until: new Date(Date.now() - 1) } })

function signers(request: Received): string[] {
  const [time, ...signatures] = String(request.headers['service-signature']).split(',')
  return signatures.flatMap((signature) => {
    const alone = { ...request, headers: { ...request.headers, 'service-signature': `${time},${signature}` } }
    return [first, second, third].filter((secret) => isSigned(alone, secret))
  })
}

async function delivered(): Promise<string[]> {
  await transact(shop.scope, (tx) => tx.emit({ name: 'order.paid', object: { id: 'order_1' } }))
  await runDueTasks()
  const last = receiver.events().at(-1)
  if (!last) throw new Error('nothing was delivered')
  return signers(last)
}

const ping = async () => {
  await send(`POST /v1/webhook-endpoints/${id}/ping`, { key: shop.testKey })
  const last = receiver.requests.at(-1)
  return last ? signers(last) : []
}

describe('replaced secret', () => {
  it('for 24 hours after a change of the webhook secret, deliveries and pings are also signed with the replaced secret', async () => {
    expect(await delivered()).toEqual([first])
    const before = Date.now()
    await change(second)
    expect(await delivered()).toEqual([second, first])
    expect(await ping()).toEqual([second, first])
    const until = (await row()).previous_secret_until?.getTime() ?? 0
    expect(until - before).toBeGreaterThanOrEqual(24 * 3_600_000)
    expect(until - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
    await letOverlapEnd()
    expect(await delivered()).toEqual([second])
    expect(await ping()).toEqual([second])
  })

  it('after a second change of the secret, deliveries are signed with the two newest secrets', async () => {
    await change(second)
    await change(third)
    expect(await delivered()).toEqual([third, second])
  })

  it('setting the same new secret again does not extend the use of the replaced secret', async () => {
    await change(second)
    const before = await row()
    await change(second)
    expect(await row()).toEqual(before)
    expect(await delivered()).toEqual([second, first])
  })

  it('a ping to a changed endpoint URL is also signed with the replaced secret', async () => {
    await update(shop.scope, id, { url: `${receiver.url}/moved`, secret: second })
    const last = receiver.requests.at(-1)
    expect([last?.path, last && signers(last)]).toEqual(['/hook/moved', [second, first]])
  })

  it('a replaced secret is stored encrypted, and is deleted after 24 hours or with its endpoint', async () => {
    await change(second)
    const { previous_secret } = await row()
    expect(Buffer.from(previous_secret ?? []).includes(first)).toBe(false)
    await housekeeping()
    expect((await row()).previous_secret).not.toBeNull()
    await letOverlapEnd()
    await housekeeping()
    expect(await row()).toMatchObject({ previous_secret: null, previous_secret_until: null })
    await change(third)
    await send(`DELETE /v1/webhook-endpoints/${id}`, { key: shop.testKey })
    expect(await row()).toMatchObject({ previous_secret: null, previous_secret_until: null })
  })

  it('after two concurrent changes of the secret, deliveries are signed with both new secrets', async () => {
    await Promise.all([change(second), change(third)])
    expect((await delivered()).sort()).toEqual([second, third].sort())
  })
})

describe('early end of a replaced secret', () => {
  const listed = async () => (await listEndpoints(shop.storefrontId))[0]

  it('after the early end of a replaced secret, deliveries are signed only with the new secret, and the audit log has an entry', async () => {
    await change(second)
    expect(await listed()).toMatchObject({ id, previousSecretUntil: expect.any(Date) })
    await endPreviousSecret(id)
    expect(await listed()).toMatchObject({ id, previousSecretUntil: null })
    await endPreviousSecret(id)
    expect(await delivered()).toEqual([second])
    const [entry] = await auditLog(null, 1)
    expect(entry).toMatchObject({ action: 'endpoint.end_previous_secret', subject: id })
  })

  it('if one request ends the oldest secret while another request sets a new secret, no delivery is signed with the oldest secret', async () => {
    await change(second)
    await Promise.all([endPreviousSecret(id), change(third)])
    const signing = await delivered()
    expect([[third], [third, second]]).toContainEqual(signing)
  })

  it('the early end of a replaced secret is refused for another storefront and for an unknown endpoint', async () => {
    const other = await aShop({ name: 'Another one' })
    await change(second)
    await expect(endPreviousSecret('webhook_none')).rejects.toMatchObject({ code: 'not_found' })
    await expect(endPreviousSecret(id, other.scope)).rejects.toMatchObject({ code: 'not_found' })
    expect(await delivered()).toEqual([second, first])
  })
})
