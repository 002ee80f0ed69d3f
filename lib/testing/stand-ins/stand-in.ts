import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { listenOn } from '../listen-on.ts'
import { MistakeInRequest, objectIn, orClosed, textOf } from './requests.ts'

/** A simulated failure of the provider or the network. `before` and `after`: the failure occurs before or after the request takes effect. */
export type Fault = (typeof faults)[number]
const faults = ['cut before', 'cut after', 'hangs after', '500 after', 429, 500, 503] as const

export interface Options {
  readonly port?: number
  /** The file that stores the state, in a folder that is created if it does not exist. If no file is given, the state stays in memory. */
  readonly file?: string | null
  readonly apiKey?: string
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  /** True if the response is the stored response of an earlier request with the same idempotency key. */
  readonly isReplayed?: boolean
}

export interface Asked {
  readonly method: string
  readonly pathname: string
  readonly query: URLSearchParams
  readonly body: string
}

interface Answered extends Answer {
  readonly at: number
  readonly request: string
}

export interface Books {
  answered: Record<string, Answered>
}

/** The behavior of one simulated provider, in addition to the HTTP server that all simulated providers share. */
export interface Behavior {
  keyFor?(pathname: string): string
  /** The time for which an idempotency key is remembered, in milliseconds. */
  readonly keptMs: number
  /** Whether the provider also stores responses with status 500 and marks each replayed response. */
  readonly keepsFailures?: boolean
  /** Returns the parts of a request that must be equal when an idempotency key is used again. */
  identityOf(asked: Asked): string
  route(asked: Asked): Answer
  refused(status: number, detail: string): Answer
  readonly usedKey: Answer
  /** The payment page, or null for any other URL. `decide` is the choice of the tester on the page. */
  page(pathname: string, decide: string | null): { html: string } | { location: string } | null
  /** Handles a request to `/_control/<name>/<id>`. With such a request, a test makes the decision of a bank. */
  // biome-ignore lint/suspicious/noExplicitAny: a request may have any body
  control(name: string, id: string, given: any): unknown
}

/**
 * A simulated payment provider, as its own process or inside a test. A file can keep the state across restarts. Tests call
 * methods to decide for buyers, banks, and the network. Other programs send these decisions to `/_control`.
 */
export abstract class StandIn<Kept extends Books> {
  /** Not readonly, because the provider can replace the key. */
  apiKey: string
  readonly books: Kept
  mostOnPage = Number.POSITIVE_INFINITY
  readonly requests: string[] = []
  url = ''
  protected abstract readonly behavior: Behavior
  private readonly file: string | null
  private readonly faults: { readonly fault: Fault; readonly method: string; times: number }[] = []
  private readonly hanging = new Set<ServerResponse>()
  private readonly server = createServer((message, response) => void orClosed(response, this.serve(message, response)))

  constructor(empty: Kept, apiKey: string, file: string | null) {
    this.apiKey = apiKey
    this.file = file
    if (file !== null) mkdirSync(path.dirname(file), { recursive: true })
    this.books = file === null ? empty : { ...empty, ...read(file) }
  }

  async listen(port: number): Promise<void> {
    await listenOn(this.server, port)
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const response of this.hanging) response.destroy()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  failNext(fault: Fault, { method = 'POST', times = 1 } = {}): void {
    this.faults.push({ fault, method, times })
  }

  hasFaults(): boolean {
    return this.faults.some(({ times }) => times > 0)
  }

  protected save(): void {
    if (this.file === null) return
    writeFileSync(`${this.file}.new`, JSON.stringify(this.books))
    renameSync(`${this.file}.new`, this.file)
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(message)
    const { pathname, searchParams: query } = new URL(message.url ?? '/', this.url)
    if (Number(query.get('limit') ?? 0) > this.mostOnPage) query.set('limit', String(this.mostOnPage))
    const asked = { method: message.method ?? 'GET', pathname, query, body }
    if (pathname.startsWith('/_control/')) return answer(response, this.control(asked))
    if (pathname.startsWith('/checkout/')) return this.servePage(asked, response)
    this.requests.push(`${asked.method} ${pathname}`)
    const { refused, keepsFailures = false } = this.behavior
    const fault = this.faultOf(asked.method)
    if (fault === 'cut before') return void message.socket.destroy()
    if (typeof fault === 'number' && !(fault === 500 && keepsFailures))
      return answer(response, refused(fault, 'The stand-in fails'))
    if (message.headers.authorization !== `Bearer ${this.behavior.keyFor?.(pathname) ?? this.apiKey}`)
      return answer(response, refused(401, 'Wrong API key'))
    const failed = refused(500, 'The stand-in fails')
    const made = this.once(message.headers['idempotency-key'], asked, () => {
      const done = fault === 500 ? failed : this.refusing(400, () => this.behavior.route(asked))
      return fault === '500 after' ? failed : done
    })
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

  private once(key: string | string[] | undefined, asked: Asked, make: () => Answer): Answer {
    if (typeof key !== 'string' || asked.method !== 'POST') return make()
    const { keptMs, keepsFailures = false, identityOf, usedKey } = this.behavior
    const request = identityOf(asked)
    const known = this.books.answered[key]
    if (known && Date.now() - known.at < keptMs)
      return known.request === request ? { ...known, isReplayed: keepsFailures } : usedKey
    const made = make()
    if (made.status < 500 || keepsFailures) this.books.answered[key] = { at: Date.now(), request, ...made }
    return made
  }

  private servePage({ pathname, method, body }: Asked, response: ServerResponse): void {
    const page = this.behavior.page(pathname, method === 'POST' ? new URLSearchParams(body).get('status') : null)
    if (!page) return void response.writeHead(404).end()
    if ('location' in page) return void response.writeHead(303, { location: page.location }).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page.html)
  }

  private control({ pathname, body }: Asked): Answer {
    const [, , what = '', id = ''] = pathname.split('/')
    if (what === 'books') return { status: 200, body: this.books }
    return this.refusing(404, () => {
      const given = objectIn(body)
      if (what === 'faults') this.failNext(...faultIn(given))
      const done = what === 'faults' ? {} : this.behavior.control(what, id, given)
      return done === null ? this.behavior.refused(404, 'No such control') : { status: 200, body: done ?? {} }
    })
  }

  private refusing(status: number, make: () => Answer): Answer {
    try {
      return make()
    } catch (error) {
      if (error instanceof MistakeInRequest) return this.behavior.refused(status, error.message)
      throw error
    }
  }
}

/** Throws MistakeInRequest for an unknown fault, such as the text "500" instead of the number, and for an invalid method or number of times. */
function faultIn({
  fault,
  method = 'POST',
  times = 1,
}: Record<string, unknown>): Parameters<StandIn<Books>['failNext']> {
  const known = faults.find((each) => each === fault)
  if (known === undefined)
    throw new MistakeInRequest(`The fault must be one of ${faults.map((each) => JSON.stringify(each)).join(', ')}.`)
  if (typeof method !== 'string' || !/^[A-Z]+$/.test(method))
    throw new MistakeInRequest('The method must be a method of HTTP, such as "GET".')
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1)
    throw new MistakeInRequest('The value of times must be a whole number of at least 1.')
  return [known, { method, times }]
}

function answer(response: ServerResponse, { status, body, isReplayed }: Answer): void {
  const headers = {
    'content-type': 'application/json',
    ...(status === 429 && { 'retry-after': '1' }),
    ...(isReplayed && { 'idempotent-replayed': 'true' }),
  }
  response.writeHead(status, headers).end(status === 204 ? undefined : JSON.stringify(body))
}

function read(file: string): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

export const paymentPage = (provider: string, what: string, choices: readonly string[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stand-in payment page</title>
<h1>Stand-in for ${provider}</h1>
<p>${escaped(what)}</p>
<form method="post">
${choices.map((choice) => `<button name="status" value="${choice}">${choice}</button>`).join('\n')}
</form></html>`
