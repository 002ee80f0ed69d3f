import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mandateMadeBy, newId, openBooks, type Payment, type Status } from './mollie-books.ts'
import { paymentPage } from './mollie-page.ts'
import { type Answer, refused, routeOf } from './mollie-routes.ts'

/** What happens to a request: it fails before or after it had its effect, or is held up. */
export type Fault = 'cut before' | 'cut after' | 'hangs after' | 429 | 500 | 503

export interface Options {
  readonly port?: number
  /** Where the books are kept; without it, in memory. */
  readonly file?: string | null
  readonly apiKey?: string
}

const standInKey = 'live_standinstandinstandinstandin'
const keptMs = 3_600_000

/** Starts a stand-in for Mollie on this machine. Port 0 is any free one. */
export async function startMollie({ port = 0, ...options }: Options = {}): Promise<MollieStandIn> {
  const standIn = new MollieStandIn(options)
  await standIn.listen(port)
  return standIn
}

/**
 * A stand-in for Mollie's API v2 and its payment page, as a process of its own or inside a test. Its books may be kept in
 * a file, so that they outlive it. Tests decide what buyers, banks and the network do; from outside, `/_control` does.
 */
export class MollieStandIn {
  readonly apiKey: string
  readonly books: ReturnType<typeof openBooks>['books']
  /** The requests that it got, as `POST /v2/payments`. */
  readonly requests: string[] = []
  url = ''
  private readonly save: () => void
  private readonly faults: { readonly fault: Fault; readonly method: string; times: number }[] = []
  private readonly declines = new Map<string, string>()
  private readonly hanging = new Set<ServerResponse>()
  private readonly server = createServer((message, response) => void this.serve(message, response))

  constructor({ file = null, apiKey = standInKey }: Omit<Options, 'port'>) {
    this.apiKey = apiKey
    const { books, save } = openBooks(file)
    this.books = books
    this.save = save
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const response of this.hanging) response.destroy()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** The next requests of a method have a fault. */
  failNext(fault: Fault, { method = 'POST', times = 1 } = {}): void {
    this.faults.push({ fault, method, times })
  }

  /** Whether a request is still to come that has a fault. */
  hasFaults(): boolean {
    return this.faults.some(({ times }) => times > 0)
  }

  /** Charges on a mandate fail for a reason of Mollie's from now on; null: they are paid again. */
  decline(mandateId: string, reason: string | null): void {
    if (reason === null) this.declines.delete(mandateId)
    else this.declines.set(mandateId, reason)
  }

  /** A buyer or a bank decides a payment; its notice is sent. */
  decide(id: string, status: Status, details: Record<string, string> = {}): void {
    const payment = this.payment(id)
    payment.status = status
    payment.details = { ...payment.details, ...details }
    if (status === 'paid' && payment.sequenceType === 'first' && !payment.mandateId) {
      const mandate = mandateMadeBy(payment)
      if (mandate) this.books.mandates.push(mandate)
      payment.mandateId = mandate?.id ?? null
    }
    this.save()
    this.notify(payment)
  }

  /** A bank takes a payment back. Returns the chargeback's id. */
  dispute(id: string, reason: { code: string; description: string } | null = null): string {
    const payment = this.payment(id)
    const at = { createdAt: new Date().toISOString(), reversedAt: null }
    const made = { id: newId('chb'), paymentId: id, amount: payment.amount, reason, ...at }
    this.books.chargebacks.push(made)
    this.save()
    this.notify(payment)
    return made.id
  }

  private payment(id: string): Payment {
    const payment = this.books.payments.find((each) => each.id === id)
    if (!payment) throw new Error(`the stand-in has no payment ${id}`)
    return payment
  }

  private notify({ id, webhookUrl }: Payment): void {
    if (webhookUrl === null) return
    // A notice that does not arrive is lost: the payment is asked about all the same.
    void fetch(webhookUrl, { method: 'POST', body: new URLSearchParams({ id }) }).catch(() => undefined)
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { pathname, searchParams: query } = new URL(message.url ?? '/', this.url)
    const method = message.method ?? 'GET'
    if (pathname.startsWith('/checkout/')) return this.servePage(pathname, method, body, response)
    if (pathname.startsWith('/_control/')) return answer(response, this.control(pathname, body))
    this.requests.push(`${method} ${pathname}`)
    const fault = this.faultOf(method)
    if (fault === 'cut before') return void message.socket.destroy()
    if (typeof fault === 'number') return answer(response, refused(fault, 'The stand-in fails'))
    if (message.headers.authorization !== `Bearer ${this.apiKey}`)
      return answer(response, refused(401, 'Wrong API key'))
    const route = routeOf({ books: this.books, url: this.url, declines: this.declines })
    const path = pathname.replace(/^\/v2\//, '')
    const made = this.once(message.headers['idempotency-key'], `${method} ${pathname}`, () =>
      route({ method, path, query, body: body === '' ? {} : JSON.parse(body) }),
    )
    this.save()
    if (fault === 'cut after') return void message.socket.destroy()
    if (fault === 'hangs after') return void this.hanging.add(response)
    answer(response, made)
  }

  private faultOf(method: string): Fault | null {
    const next = this.faults.find((each) => each.times > 0 && each.method === method)
    if (!next) return null
    next.times--
    return next.fault
  }

  /** The answer to a key is kept for an hour, for the same request. */
  private once(key: string | string[] | undefined, request: string, make: () => Answer): Answer {
    if (typeof key !== 'string' || !request.startsWith('POST')) return make()
    const known = this.books.answered[key]
    if (known && Date.now() - known.at < keptMs)
      return known.request === request ? known : refused(422, 'The key was used for another request')
    const made = make()
    if (made.status < 500) this.books.answered[key] = { at: Date.now(), request, ...made }
    return made
  }

  private servePage(pathname: string, method: string, body: string, response: ServerResponse): void {
    const payment = this.books.payments.find(({ id }) => pathname === `/checkout/${id}`)
    if (!payment) return void response.writeHead(404).end()
    const status = method === 'POST' ? new URLSearchParams(body).get('status') : null
    if (status === null) {
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      return void response.writeHead(200, headers).end(paymentPage(payment))
    }
    if (payment.status === 'open') this.decide(payment.id, status as Status)
    response.writeHead(303, { location: payment.redirectUrl ?? '/' }).end()
  }

  private control(pathname: string, body: string): Answer {
    const given = body === '' ? {} : JSON.parse(body)
    const [, , what, id = ''] = pathname.split('/')
    const controls: Record<string, () => unknown> = {
      payments: () => this.decide(id, given.status, given.details),
      chargebacks: () => this.dispute(id, given.reason ?? null),
      declines: () => this.decline(id, given.reason ?? null),
      faults: () => this.failNext(given.fault, given),
      books: () => this.books,
    }
    const control = controls[what ?? '']
    return control ? { status: 200, body: control() ?? {} } : refused(404, 'No such control')
  }
}

function answer(response: ServerResponse, { status, body }: Answer): void {
  const headers = { 'content-type': 'application/hal+json', ...(status === 429 && { 'retry-after': '1' }) }
  response.writeHead(status, headers).end(status === 204 ? undefined : JSON.stringify(body))
}
