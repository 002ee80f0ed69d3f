import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiOf, pay } from '../bench/shop.ts'
import type { TestBed } from './test-bed.ts'

/** The writes of merchants' programs. Each write is retried with one idempotency key until the service accepts the write. */
export interface Load {
  /** Resolves with the seconds until the next accepted write. */
  untilService(): Promise<number>
  stop(): Promise<Written>
}

export interface Written {
  readonly paths: readonly string[]
  /** The name of each created product. A second product with the same name shows that a write took effect twice. */
  readonly names: readonly string[]
  /** Ids of checkouts that the API reported as paid. */
  readonly paid: readonly string[]
  readonly refunded: readonly string[]
  readonly repeated: number
  /** The number of responses by status. `none` counts failed connections and missing responses. `page: …` counts errors of hosted pages. */
  readonly statuses: ReadonlyMap<string, number>
  /** Seconds. */
  readonly longestWait: number
}

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
type Resource = any
interface Tally extends Written {
  readonly paths: string[]
  readonly names: string[]
  readonly paid: string[]
  readonly refunded: string[]
  repeated: number
  readonly statuses: Map<string, number>
  longestWait: number
}

const patienceMs = 60_000
const pauseMs = 20
const terms = { description: 'A drill.', basePrice: { value: '9.00', currency: 'EUR' }, productType: 'ebook' }
const redirects = {
  redirectUrlSuccess: 'https://shop.example/thanks?checkout={CHECKOUT_ID}',
  redirectUrlCanceled: 'https://shop.example/basket',
}

/**
 * Starts `writers` concurrent programs. In each round, a program creates a product and a customer. In every fifth
 * round, the program also sells the product on the hosted pages, and refunds the order.
 */
export function startLoad(place: TestBed, writers = 4): Load {
  const tally: Tally = {
    paths: [],
    names: [],
    paid: [],
    refunded: [],
    repeated: 0,
    statuses: new Map(),
    longestWait: 0,
  }
  const waiting: (() => void)[] = []
  const client = new Client(place, tally, () => {
    for (const resolve of waiting.splice(0)) resolve()
  })
  let stopping = false
  const running = Array.from({ length: writers }, async (_, writer) => {
    for (let round = 0; !stopping; round++) {
      await writeOnce(client, tally, `drill-${writer}-${round}`, round % 5 === 0)
      await sleep(pauseMs)
    }
  })
  const all = Promise.all(running)
  all.catch(() => undefined)
  return {
    async untilService() {
      const began = performance.now()
      await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), all])
      return (performance.now() - began) / 1000
    },
    async stop() {
      stopping = true
      await all
      return tally
    },
  }
}

async function writeOnce(client: Client, tally: Tally, name: string, withSale: boolean): Promise<void> {
  const product = await client.write('/v1/one-off-products', { ...terms, name })
  tally.names.push(name)
  tally.paths.push(`/v1/one-off-products/${product.id}`)
  const customer = await client.write('/v1/customers', { email: `${name}@shop.example`, name })
  tally.paths.push(`/v1/customers/${customer.id}`)
  if (!withSale) return
  const checkout = await client.write('/v1/checkouts', { products: [{ id: product.id }], ...redirects })
  tally.paths.push(`/v1/checkouts/${checkout.id}`)
  const orderId = await client.paid(checkout, `buyer-${name}@shop.example`)
  tally.paid.push(checkout.id)
  const refund = await client.write(`/v1/orders/${orderId}/refunds/full`, {})
  tally.refunded.push(orderId)
  tally.paths.push(`/v1/refunds/${refund.id}`)
}

class Client {
  constructor(
    private readonly place: TestBed,
    private readonly tally: Tally,
    private readonly accepted: () => void,
  ) {}

  /** Retries with one key until the write is accepted. Throws if the service refuses the write permanently. */
  async write(path: string, body: object): Promise<Resource> {
    const key = randomUUID()
    return this.persist(async () => {
      const answer = await this.send('POST', path, { key, body })
      if (answer) this.accepted()
      return answer
    })
  }

  async paid({ id, links }: Resource, email: string): Promise<string> {
    const { pathname, search } = new URL(links.checkoutUrl.href)
    return this.persist(async () => {
      const shown = await this.send('GET', `/v1/checkouts/${id}`)
      if (!shown || shown.status === 'paid') return shown?.orderId ?? null
      const origin = this.origin()
      await pay(origin, `${origin}${pathname}${search}`, email).catch((error) =>
        this.count(`page: ${error.message.replace(/\/checkout\/.*/, 'the checkout')}`),
      )
      return null
    })
  }

  private async persist<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
    for (;;) {
      const result = await attempt()
      if (result) return result
      await sleep(100)
    }
  }

  private async send(method: string, path: string, { key, body }: { key?: string; body?: object } = {}) {
    const { request } = apiOf('', this.place.installation.key)
    const { headers, ...rest } = request(method, path, body)
    const began = performance.now()
    const signal = AbortSignal.timeout(patienceMs)
    const sent = { ...rest, headers: { ...headers, ...(key && { 'Idempotency-Key': key }) }, signal }
    const response = await fetch(this.origin() + path, sent).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => null,
    )
    this.tally.longestWait = Math.max(this.tally.longestWait, (performance.now() - began) / 1000)
    this.count(response ? String(response.status) : 'none')
    if (response && response.status < 300) return JSON.parse(response.text)
    if (!response || response.status >= 500 || response.status === 409) {
      this.tally.repeated++
      return null
    }
    throw new Error(`${method} ${path} answered ${response.status}: ${response.text}`)
  }

  private origin(): string {
    const { origins } = this.place
    return origins[Math.floor(Math.random() * origins.length)] ?? this.place.installation.baseUrl
  }

  private count(what: string): void {
    this.tally.statuses.set(what, (this.tally.statuses.get(what) ?? 0) + 1)
  }
}
