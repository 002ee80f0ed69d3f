import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenOn } from '../listen-on.ts'
import { MistakeInRequest, objectIn, orClosed, textOf } from './requests.ts'

/**
 * A stand-in for HMRC's API "Check a UK VAT number" 2.0, with its access token. A number is unknown until it is
 * registered:
 *
 * - `POST /_control/registered` with `{ vatNumber, name }` registers a company.
 * - `POST /_control/failure` with `{ code, status }` makes every lookup fail. `{ code: null }` ends the failures.
 * - With the code `SILENCE`, the stand-in does not respond.
 * - `GET /_control/questions` lists the requested paths.
 */
export interface Hmrc {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  register(company: { vatNumber: string; name: string }): void
  fail(failure: Failure | null): void
  withdrawTokens(): void
  questions(): readonly string[]
  tokensGiven(): number
  close(): Promise<void>
}

interface Failure {
  readonly code: string
  readonly status: number
}

const credentials = { clientId: 'stand-in-client', clientSecret: 'stand-in-secret-of-the-client' }

interface State {
  readonly registered: Map<string, string>
  readonly questions: string[]
  failure: Failure | null
  token: string
  tokens: number
}

export async function startHmrc({ port = 0 }: { port?: number } = {}): Promise<Hmrc> {
  const state: State = { registered: new Map(), questions: [], failure: null, token: '', tokens: 0 }
  const server = createServer((request, response) => {
    const answered = answerTo(state, request)
      .catch((error) => {
        if (!(error instanceof MistakeInRequest)) throw error
        return refused(400, 'INVALID_REQUEST')
      })
      .then((answer) => answer && send(response, answer))
    void orClosed(response, answered)
  })
  await listenOn(server, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...credentials,
    register: ({ vatNumber, name }) => void state.registered.set(vatNumber, name),
    fail: (failure) => {
      state.failure = failure
    },
    withdrawTokens: () => {
      state.token = ''
    },
    questions: () => state.questions,
    tokensGiven: () => state.tokens,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const refused = (status: number, code: string): Answer => ({ status, body: { code, message: 'of the stand-in' } })

async function answerTo(state: State, request: IncomingMessage): Promise<Answer | null> {
  switch (`${request.method} ${request.url}`) {
    case 'POST /oauth/token':
      return token(state, new URLSearchParams(await textOf(request)))
    case 'GET /_control/questions':
      return { status: 200, body: state.questions }
    case 'POST /_control/registered': {
      const { vatNumber, name } = objectIn(await textOf(request))
      state.registered.set(vatNumber, name)
      return { status: 200, body: {} }
    }
    case 'POST /_control/failure': {
      const given = objectIn(await textOf(request))
      state.failure = given.code === null ? null : given
      return { status: 200, body: {} }
    }
    default:
      return lookUp(state, request)
  }
}

function token(state: State, form: URLSearchParams): Answer {
  const isKnown =
    form.get('client_id') === credentials.clientId && form.get('client_secret') === credentials.clientSecret
  if (!isKnown || form.get('grant_type') !== 'client_credentials') {
    const body = { error: 'invalid_client', error_description: 'invalid client id or secret' }
    return { status: 401, body }
  }
  state.token = `token-${++state.tokens}`
  const body = { access_token: state.token, scope: 'read:vat', expires_in: 14_400, token_type: 'bearer' }
  return { status: 200, body }
}

function lookUp(state: State, { url = '', headers }: IncomingMessage): Answer | null {
  const [, target = '', requester = null] =
    /^\/organisations\/vat\/check-vat-number\/lookup\/([^/]+)(?:\/([^/]+))?$/.exec(url) ?? []
  if (target === '') return refused(404, 'MATCHING_RESOURCE_NOT_FOUND')
  if (headers.accept !== 'application/vnd.hmrc.2.0+json') return refused(406, 'ACCEPT_HEADER_INVALID')
  state.questions.push(url)
  const isLoggedIn = state.token !== '' && headers.authorization === `Bearer ${state.token}`
  if (!isLoggedIn) return refused(401, 'INVALID_CREDENTIALS')
  if (state.failure?.code === 'SILENCE') return null
  return state.failure ? refused(state.failure.status, state.failure.code) : found(state, target, requester)
}

function found({ registered, questions }: State, target: string, requester: string | null): Answer {
  const numbers = requester === null ? [target] : [target, requester]
  if (!numbers.every((each) => /^(\d{9}|\d{12})$/.test(each))) return refused(400, 'INVALID_REQUEST')
  if (requester !== null && !registered.has(requester)) return refused(403, 'INVALID_REQUEST')
  const name = registered.get(target)
  if (name === undefined) return refused(404, 'NOT_FOUND')
  const address = { line1: '131B Barton Hamlet', postcode: 'SW97 5CK', countryCode: 'GB' }
  const proof = requester === null ? {} : { requester, consultationNumber: `ypA-${questions.length}` }
  const body = { target: { name, vatNumber: target, address }, processingDate: new Date().toISOString(), ...proof }
  return { status: 200, body }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
