import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiOf } from '../bench/shop.ts'
import type { TestBed } from './test-bed.ts'

const arrived = new Set<string>()

export async function listen(port: number): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    arrived.add(String(request.headers['service-event-id']))
    request.resume().on('end', () => response.writeHead(200).end())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function register({ installation: { baseUrl, key } }: TestBed, port: number): Promise<string> {
  const body = { url: `http://127.0.0.1:${port}/hooks`, secret: 'whsec_of_a_drill' }
  return (await apiOf(baseUrl, key).call(201, 'POST', '/v1/webhook-endpoints', body)).id
}

export const deliveries = ({ query }: TestBed, endpointId: string) =>
  query('SELECT id, event_id, status, attempts FROM deliveries WHERE endpoint_id = $1 ORDER BY id', [endpointId])

/** Returns a sentence for each undelivered event, or one sentence if no event exists. */
export async function undelivered(place: TestBed, endpointId: string): Promise<string[]> {
  const all = await deliveries(place, endpointId)
  if (all.length === 0) return ['there was no event']
  return all
    .filter(({ event_id, status }) => status !== 'delivered' || !arrived.has(String(event_id)))
    .map(({ event_id, status, attempts }) => `the event ${event_id} is ${status} after ${attempts} attempts`)
}
