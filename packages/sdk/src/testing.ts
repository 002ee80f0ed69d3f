import type { Operations, WebhookEvent } from './generated/operations.ts'
import { type Answer, errorBody, events, type TestCall } from './testing/contract.ts'
import { listenOn } from './testing/listen.ts'
import { check, exampleFor } from './testing/respond.ts'
import { sign } from './webhooks.ts'

export type { Answer, TestCall } from './testing/contract.ts'

type AnswerOf = Answer | ((call: TestCall) => Answer)

export interface TestServer {
  /** The base URL for the client under test. The server opens no port, so pass its `fetch` to the client too. */
  readonly url: string
  /** Responds like the API, with the examples of its documentation. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The requests that passed all checks, oldest first, without repetitions of an idempotency key. */
  readonly calls: readonly TestCall[]
  /** Replaces a response. An error needs only a code: `{ status: 429, body: { code: 'rate_limited' } }`. */
  respond(id: keyof Operations, answer: AnswerOf): void
  /** Clears `calls`, the replaced responses, and the idempotency keys. */
  reset(): void
  /** Listens on a port, for programs whose `fetch` a test cannot replace. Requires `node:http`. */
  listen(port?: number): Promise<{ url: string; close(): Promise<void> }>
}

/** A server for a merchant's unit tests. It stores no resources: each response is an example of the documentation. */
export function createTestServer(): TestServer {
  const calls: TestCall[] = []
  const replaced = new Map<string, AnswerOf>()
  const stored = new Map<string, { fingerprint: string; answer: Answer }>()

  const answerTo = (request: Request, text: string): Answer => {
    const checked = check(request, text)
    if ('refused' in checked) return checked.refused
    const { operation, call } = checked
    const run = (): Answer => {
      calls.push(call)
      const answer = replaced.get(call.id) ?? exampleFor(operation, call)
      return typeof answer === 'function' ? answer(call) : answer
    }
    const key = operation.takesKey ? request.headers.get('idempotency-key') : null
    if (key === null) return run()
    const scope = `${operation.id} ${key}`
    const fingerprint = `${request.url}\n${text}`
    const earlier = stored.get(scope)
    if (earlier && earlier.fingerprint !== fingerprint)
      return { status: 409, body: errorBody('idempotency_mismatch', 'The key was used with another request.') }
    if (earlier) return { ...earlier.answer, headers: { ...earlier.answer.headers, 'Idempotent-Replayed': 'true' } }
    const answer = run()
    // Like the service, the test server stores no response for the idempotency key after one of these statuses.
    if (![429, 401, 403].includes(answer.status ?? 200) && (answer.status ?? 200) < 500)
      stored.set(scope, { fingerprint, answer })
    return answer
  }

  const fetch = async (request: Request) => responseOf(answerTo(request, await request.text()))
  return {
    url: 'https://billhook.test',
    fetch,
    calls,
    respond: (id, answer) => {
      replaced.set(id, answer)
    },
    reset: () => {
      calls.length = 0
      replaced.clear()
      stored.clear()
    },
    listen: (port = 0) => listenOn(fetch, port),
  }
}

function responseOf({ status = 200, body, headers = {} }: Answer): Response {
  const id = { 'Request-Id': 'request_of_the_test_server', ...headers }
  if (status === 204) return new Response(null, { status, headers: id })
  const complete = status >= 400 ? { ...errorBody('internal', 'An error of the test.'), ...(body as object) } : body
  return Response.json(complete, { status, headers: id })
}

/** An example event for tests of a receiver. `changes` replaces fields of its object. */
export function exampleEvent<Name extends WebhookEvent['eventName']>(
  eventName: Name,
  changes: Readonly<Record<string, unknown>> = {},
): Extract<WebhookEvent, { eventName: Name }> {
  const event = structuredClone(events[eventName])
  Object.assign(event.object, changes)
  return event
}

/** A POST with a signed body, as Billhook sends it. */
export async function signedDelivery(url: string, secret: string, event: WebhookEvent): Promise<Request> {
  const body = JSON.stringify(event)
  const headers = {
    'Content-Type': 'application/json',
    'Service-Signature': await sign(body, secret),
    'Service-Event-Id': event.id,
  }
  return new Request(url, { method: 'POST', body, headers })
}
