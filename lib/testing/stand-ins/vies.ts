import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenOn } from '../listen-on.ts'
import { MistakeInRequest, objectIn, orClosed, textOf } from './requests.ts'

/**
 * A stand-in for the EU's registry of VAT IDs (VIES) with its REST API. The numbers 100 to 601 get the same responses
 * as from the test service of the Commission. Every other number is invalid until it is registered:
 *
 * - `POST /_control/registered` with `{ countryCode, vatNumber, name, address }` registers a company.
 * - `POST /_control/failure` with `{ error, status }` makes every check fail. `{ error: null }` ends the failures.
 * - With the error `SILENCE`, the stand-in does not respond.
 * - `GET /_control/questions` lists the requests.
 */
interface State {
  registered: Record<string, { name: string; address: string }>
  failure: { error: string; status: number } | null
  questions: Question[]
}

interface Question {
  readonly countryCode: string
  readonly vatNumber: string
  readonly requesterNumber?: string
}

/** The numbers of the test service and their responses ("VIES technical information", checkVatTestService). */
const testNumbers: Readonly<Record<string, string>> = {
  '201': 'INVALID_INPUT',
  '202': 'INVALID_REQUESTER_INFO',
  '300': 'SERVICE_UNAVAILABLE',
  '301': 'MS_UNAVAILABLE',
  '302': 'TIMEOUT',
  '400': 'VAT_BLOCKED',
  '401': 'IP_BLOCKED',
  '500': 'GLOBAL_MAX_CONCURRENT_REQ',
  '501': 'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  '600': 'MS_MAX_CONCURRENT_REQ',
  '601': 'MS_MAX_CONCURRENT_REQ_TIME',
}

export interface Vies {
  readonly url: string
  register(company: { countryCode: string; vatNumber: string; name: string; address: string }): void
  fail(failure: { error: string; status: number } | null): void
  questions(): readonly Question[]
  close(): Promise<void>
}

export async function startVies({ port = 0, file }: { port?: number; file?: string } = {}): Promise<Vies> {
  const state: State =
    file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { registered: {}, failure: null, questions: [] }
  const save = () => file && writeFileSync(file, JSON.stringify(state))
  const registry = registryOf(state, save)
  const server = createServer((request, response) => {
    const answered = answer(registry, state, request, response).catch((error) => {
      if (!(error instanceof MistakeInRequest)) throw error
      send(response, 400, failed('INVALID_INPUT'))
    })
    void orClosed(response, answered)
  })
  await listenOn(server, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...registry,
    questions: () => state.questions,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const registryOf = (state: State, save: () => void) => ({
  register({ countryCode, vatNumber, name, address }: Parameters<Vies['register']>[0]) {
    state.registered[`${countryCode}${vatNumber}`] = { name, address }
    save()
  },
  fail(failure: State['failure']) {
    state.failure = failure
    save()
  },
  ask(question: Question) {
    state.questions.push(question)
    save()
  },
})

async function answer(
  registry: ReturnType<typeof registryOf>,
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = `${request.method} ${request.url}`
  if (route === 'GET /_control/questions') return send(response, 200, state.questions)
  if (route === 'GET /check-status') return send(response, 200, { vow: { available: state.failure === null } })
  const body = objectIn(await textOf(request))
  switch (route) {
    case 'POST /_control/registered':
      registry.register(body)
      return send(response, 200, {})
    case 'POST /_control/failure':
      registry.fail(body.error === null ? null : body)
      return send(response, 200, {})
    case 'POST /check-vat-number':
    case 'POST /check-vat-test-service':
      registry.ask(body)
      return check(state, body, response)
    default:
      return send(response, 404, failed('NOT_FOUND'))
  }
}

function check(state: State, { countryCode, vatNumber, requesterNumber }: Question, response: ServerResponse): void {
  const isWellFormed = /^[A-Z]{2}$/.test(countryCode) && /^[0-9A-Za-z+*.]{2,12}$/.test(vatNumber)
  const error = isWellFormed ? testNumbers[vatNumber] : 'INVALID_INPUT'
  if (state.failure?.error === 'SILENCE') return
  if (state.failure) send(response, state.failure.status, failed(state.failure.error))
  else if (error) send(response, isWellFormed ? 200 : 400, failed(error))
  else send(response, 200, found(state, { countryCode, vatNumber }, requesterNumber))
}

function found(state: State, { countryCode, vatNumber }: Question, requesterNumber: string | undefined): object {
  const company = vatNumber === '100' ? testCompany : state.registered[countryCode + vatNumber]
  return {
    countryCode,
    vatNumber,
    requestDate: new Date().toISOString(),
    valid: company !== undefined,
    requestIdentifier: requesterNumber ? `WAPIAAAA${String(state.questions.length).padStart(8, '0')}` : '',
    name: company?.name ?? '---',
    address: company?.address ?? '---',
  }
}

const testCompany = { name: 'John Doe', address: '123 Main St, Anytown, UK' }

const failed = (error: string) => ({ actionSucceed: false, errorWrappers: [{ error }] })

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
