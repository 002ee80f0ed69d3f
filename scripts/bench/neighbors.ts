import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bench } from './context.ts'
import { connected, copySubscriptions, ends, runCopies } from './copies.ts'
import { copyDeliveries } from './deliveries.ts'
import { medianRound, type Round } from './figures.ts'
import type { Installation } from './installation.ts'
import { apiOf, sellOne } from './shop.ts'
import { monthly, newStorefront } from './year.ts'

/** This file measures how much the work of other storefronts slows down the reads of one storefront. */

export interface Noticed extends Record<'alone' | 'beside', Round> {
  readonly name: string
}

export interface NeighborSizes {
  readonly due: number
  readonly moved: number
  readonly waiting: number
  readonly seconds: number
  readonly rounds: number
}

/** The reads per second of all readers together. The rate stays constant even if responses are slow. */
export const readsPerSecond = 200
const readers = 8

/** Work of other storefronts during the measured reads. The run fails if the work ends before the measurement ends. */
interface Work {
  begin(): Promise<unknown>
  isGoing(): Promise<boolean>
  end(): Promise<unknown>
}

type Target = Pick<Installation, 'baseUrl' | 'databaseUrl' | 'data'>

/** @param first the first number of the copies; the function uses ten million numbers */
export async function measureNeighbors(
  { api, shop, loader, say }: Bench,
  place: Target,
  { first, ...sizes }: NeighborSizes & { first: number },
): Promise<Noticed[]> {
  const requests = shop.customerIds.slice(0, 100).map((id) => api.request('GET', `/v1/customers/${id}`))
  const reads = { origin: place.baseUrl, requests, status: 200, connections: readers, perSecond: readsPerSecond }
  const read = async () => {
    const rounds: Round[] = []
    while (rounds.length < sizes.rounds) rounds.push(await loader.ask({ ...reads, seconds: sizes.seconds }))
    return medianRound(rounds)
  }
  const works = {
    'a hanging receiver, with {waiting} webhooks due': await hangingReceiver(place, first, sizes.waiting),
    '{due} renewals due at once': await dueRenewals(place, first + 1_000_000, sizes.due),
    'a test clock that advances by three years over {moved} subscriptions': await movingClock(
      place,
      first + 2_000_000,
      sizes.moved,
    ),
  }
  const noticed: Noticed[] = []
  for (const [sentence, work] of Object.entries(works)) {
    const name = sentence.replace(/\{(\w+)\}/, (_, size: keyof NeighborSizes) => sizes[size].toLocaleString('en'))
    say(`Reading beside ${name}`)
    const alone = await read()
    await work.begin()
    const beside = await read()
    if (!(await work.isGoing())) throw new Error(`${name} ended before everything was measured`)
    await work.end()
    noticed.push({ name, alone, beside })
  }
  return noticed
}

async function hangingReceiver(place: Target, first: number, count: number): Promise<Work> {
  let requests = 0
  // Only the first request, the ping of the registration, gets a response.
  const server = createServer((_, response) => {
    if (++requests === 1) response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { storefrontId, testKey } = await newStorefront(place, 'A receiver that hangs')
  const api = apiOf(place.baseUrl, testKey)
  const endpoint = await api.call(201, 'POST', '/v1/webhook-endpoints', {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret: 'whsec_of_the_bench',
    enabledEvents: ['one_off_product.archived'],
  })
  const product = await api.call(201, 'POST', '/v1/one-off-products', {
    name: 'Handbook',
    description: 'All chapters.',
    basePrice: { value: '29.00', currency: 'EUR' },
    productType: 'ebook',
  })
  return {
    begin: () =>
      connected(place.databaseUrl, async (client) => {
        await api.call(204, 'POST', `/v1/one-off-products/${product.id}/archive`)
        const { rows } = await client.query('SELECT event_id FROM deliveries WHERE storefront_id = $1', [storefrontId])
        await copyDeliveries(client, rows[0].event_id, { from: first, count })
      }),
    isGoing: () =>
      areThere(place, "SELECT 1 FROM deliveries WHERE storefront_id = $1 AND status = 'pending'", storefrontId),
    async end() {
      await api.call(204, 'DELETE', `/v1/webhook-endpoints/${endpoint.id}`)
      server.closeAllConnections()
      server.close()
    },
  }
}

async function dueRenewals(place: Target, first: number, due: number): Promise<Work> {
  const { testKey } = await newStorefront(place, 'Renewals')
  const id = await sellOne(place.baseUrl, apiOf(place.baseUrl, testKey))
  const copies = { from: first, to: first + due - 1 }
  await copySubscriptions(place.databaseUrl, id, { ...copies, ends: ends.due })
  const isGoing = () => areThere(place, `SELECT 1 FROM tasks WHERE ${ofStorefrontOf} AND run_at <= now()`, id)
  return {
    begin: () => runCopies(place.databaseUrl, copies, 0),
    isGoing,
    end: () => until(async () => !(await isGoing())),
  }
}

async function movingClock(place: Target, first: number, subscriptions: number): Promise<Work> {
  const { api, id } = await monthly(place, { subscriptions, first })
  const isGoing = () => areThere(place, `SELECT 1 FROM clocks WHERE ${ofStorefrontOf} AND advancing_to IS NOT NULL`, id)
  let answered: Promise<unknown> = Promise.resolve()
  return {
    async begin() {
      // The API responds when the advance of the test clock is complete, or after 30 seconds.
      answered = api.call(200, 'POST', '/v1/test-helpers/clock/advance', { by: 'P3Y' })
      answered.catch(() => 'it is awaited at the end')
      await until(isGoing)
    },
    isGoing,
    async end() {
      await answered
      await until(async () => !(await isGoing()))
      // Later renewals of this storefront would disturb the next measurement, so its tasks are deleted.
      await connected(place.databaseUrl, (client) => client.query(`DELETE FROM tasks WHERE ${ofStorefrontOf}`, [id]))
    },
  }
}

const ofStorefrontOf = 'storefront_id = (SELECT storefront_id FROM subscriptions WHERE id = $1)'
const areThere = ({ databaseUrl }: Target, query: string, id: string): Promise<boolean> =>
  connected(databaseUrl, async (client) => (await client.query(`${query} LIMIT 1`, [id])).rowCount !== 0)

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > patienceMs) throw new Error('the work of the other storefront did not begin or end')
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

const lookEveryMs = 250
const patienceMs = 600_000

export const neighborsTable = (places: readonly { readonly name: string; readonly noticed: readonly Noticed[] }[]) =>
  [
    `| GET customer, ${readsPerSecond} per second | work of another storefront | p50 ms alone | p50 ms during the work | p99 ms alone | p99 ms during the work | p99 during the work ÷ p99 alone |`,
    '|---|---|--:|--:|--:|--:|--:|',
    ...places.flatMap(({ name: place, noticed }) =>
      noticed.map(
        ({ name, alone, beside }) =>
          `| ${place} | ${name} | ${ms(alone.p50)} | ${ms(beside.p50)} | ${ms(alone.p99)} | ${ms(beside.p99)} | ${(beside.p99 / alone.p99).toFixed(2)} |`,
      ),
    ),
  ].join('\n')

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1)

export const neighborsNotes = `- **Method**: ${readers} connections read customers of one storefront. They send ${readsPerSecond} requests per second in total, even if responses are slow. The reads
  are measured alone, and then during the work of another storefront. The run fails if this work ends before the reads end.
  Figures are medians of the rounds.
- **Work of the other storefront** can use all free processor time of the two cores. PostgreSQL and the load generator use the same cores.
`
