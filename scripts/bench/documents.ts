import type { Bench } from './context.ts'
import { percentile } from './figures.ts'

/** A measurement of customer reads by a few concurrent connections. Times are in milliseconds. */
interface Reads {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

export interface Documents {
  /** The number of invoices rendered as PDF in each of two runs: with concurrent reads, and without reads. */
  readonly count: number
  readonly seconds: number
  readonly secondsAlone: number
  readonly alone: Reads
  readonly beside: Reads
}

const callers = 4
const most = 100

export async function measureDocuments(bench: Bench, aloneSeconds: number): Promise<Documents> {
  const { data } = await bench.api.call(200, 'GET', `/v1/orders?limit=${most}`)
  const links: string[] = data.flatMap(
    ({ links }: { links: { customerInvoice?: { href: string } } }) => links.customerInvoice?.href ?? [],
  )
  // The first invoices are a warm-up, because they start the rendering threads.
  const warmUp = Math.floor(links.length / 5)
  await Promise.all(links.slice(0, warmUp).map(draw))
  const count = Math.floor((links.length - warmUp) / 2)
  const [some, others] = [links.slice(warmUp, warmUp + count), links.slice(warmUp + count, warmUp + 2 * count)]
  const alone = await readUntil(bench, pause(aloneSeconds * 1000))
  const { seconds: secondsAlone } = await timed(Promise.all(some.map(draw)))
  const drawn = Promise.all(others.map(draw))
  const { seconds, result: beside } = await timed(readUntil(bench, drawn))
  return { count, seconds, secondsAlone, alone, beside }
}

async function timed<Result>(work: Promise<Result>): Promise<{ seconds: number; result: Result }> {
  const began = performance.now()
  const result = await work
  return { seconds: (performance.now() - began) / 1000, result }
}

async function draw(link: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${link}/pdf`)
    const size = (await response.arrayBuffer()).byteLength
    if (response.status === 200 && size > 0) return
    const later = Number(response.headers.get('retry-after'))
    if (response.status !== 503 || !(later > 0)) throw new Error(`an invoice request got ${response.status}`)
    await pause(later * 1000)
  }
}

async function readUntil({ installation, api, shop }: Bench, end: Promise<unknown>): Promise<Reads> {
  const { customerIds } = shop
  let isOver = false
  const over = end.finally(() => {
    isOver = true
  })
  const took: number[] = []
  const began = performance.now()
  const read = async (caller: number) => {
    for (let n = caller; !isOver; n += callers) {
      const { path, headers } = api.request('GET', `/v1/customers/${customerIds[n % customerIds.length]}`)
      const asked = performance.now()
      const response = await fetch(installation.baseUrl + path, { headers })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`a customer request got ${response.status}`)
      took.push(performance.now() - asked)
    }
  }
  await Promise.all([over, ...Array.from({ length: callers }, (_, caller) => read(caller))])
  const seconds = (performance.now() - began) / 1000
  return {
    perSecond: took.length / seconds,
    p50: percentile(took, 50),
    p99: percentile(took, 99),
    longest: Math.max(...took),
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
