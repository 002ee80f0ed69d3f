import type { Bench } from './context.ts'
import { connected } from './copies.ts'
import { delays, percentile } from './figures.ts'
import { program } from './program.ts'
import type { Arrival, Question } from './receiver.ts'

export interface Delays {
  readonly name: string
  /** Milliseconds from the commit to the first attempt. */
  readonly p50: number
  readonly p99: number
  readonly events: number
}

/** Archives the next product, and waits until its event arrives at the receiver. */
export type ObserveArrival = () => Promise<Arrival>

export async function startReceiver({ api, shop, keep }: Bench): Promise<ObserveArrival> {
  const receiver = keep(program<Question, number | Arrival[]>('receiver.ts'))
  const port = await receiver.ask('listen')
  await api.call(201, 'POST', '/v1/webhook-endpoints', {
    url: `http://127.0.0.1:${port}/`,
    secret: 'whsec_of_the_bench',
    enabledEvents: ['one_off_product.archived'],
  })
  const pings = 1
  let archived = 0
  return async () => {
    await api.call(204, 'POST', `/v1/one-off-products/${shop.productIds[archived++]}/archive`)
    const [arrival] = (await receiver.ask({ after: pings + archived - 1 })) as Arrival[]
    if (!arrival) throw new Error('no webhook arrived')
    return arrival
  }
}

/** Measures one event at a time, first without other load and then during reads of customers. */
export async function measureDelays(
  { installation, api, shop, loader, connections }: Bench,
  observe: ObserveArrival,
  { events, seconds }: { events: number; seconds: number },
): Promise<Delays[]> {
  const idle: Arrival[] = []
  while (idle.length < events) idle.push(await observe())

  const requests = shop.customerIds.map((id) => api.request('GET', `/v1/customers/${id}`))
  const busy: Arrival[] = []
  let underLoad = true
  const read = async () => {
    await loader.ask({ origin: installation.baseUrl, connections, status: 200, requests, seconds })
    underLoad = false
  }
  const observeMeanwhile = async () => {
    while (underLoad && busy.length < events) busy.push(await observe())
  }
  await Promise.all([read(), observeMeanwhile()])

  const commits = await commitTimes(installation.databaseUrl)
  return Object.entries({ 'one at a time': idle, 'one at a time, under load': busy }).map(([name, arrivals]) => {
    const waited = delays(new Map(arrivals.map(({ eventId, at }) => [eventId, at])), commits)
    return { name, p50: percentile(waited, 50), p99: percentile(waited, 99), events: waited.length }
  })
}

/** The commit time of each event, in milliseconds since 1970. */
async function commitTimes(databaseUrl: string): Promise<Map<string, number>> {
  const { rows } = await connected(databaseUrl, (client) =>
    client.query('SELECT id, (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::float8 AS at FROM events'),
  )
  return new Map(rows.map(({ id, at }) => [id, at]))
}
