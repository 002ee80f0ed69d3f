import { createHash } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { anInngestServer } from './inngest-server.ts'
import { answered, aReceiver } from './receiver.ts'
import { selfSigned } from './self-signed.ts'

it('the stand-in of Inngest keeps running if it does not trust the certificate of the service, and names the variable to set', async () => {
  const service = await aReceiver(answered(200), selfSigned)
  const server = await anInngestServer({ callsRegistered: true })
  const base = server.environment.INNGEST_BASE_URL
  const post = (path: string, body: object, headers = {}) =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const key = createHash('sha256').update(Buffer.from(server.hex, 'hex')).digest('hex')
  const said = vi.spyOn(console, 'error').mockReturnValue()

  await post('/fn/register', { url: service.url }, { authorization: `Bearer signkey-test-${key}` })
  await post('/e/event-key', [{ id: 'event_1', name: 'billhook/a', data: { taskIds: ['task_1'] } }])
  expect(await server.results()).toEqual([])
  expect(said).toHaveBeenCalledWith(
    `${service.url} does not respond (DEPTH_ZERO_SELF_SIGNED_CERT). For an own certificate, set NODE_EXTRA_CA_CERTS.`,
  )
  await server.close()
  await service.close()
})
