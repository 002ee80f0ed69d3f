import { createHash, createHmac } from 'node:crypto'
import type { Functions } from '../platform/jobs/inngest.ts'
import { reasonOf } from '../platform/outbound/service-failure.ts'
import { aReceiver } from './receiver.ts'

type Behavior = 'runs' | 'runs twice' | 'forgets' | 'holds' | 'hangs' | 'is down'

interface Event {
  readonly id: string
  readonly name: string
  readonly data: { readonly taskIds: readonly string[] } | { readonly probe: string }
}
type TaskEvent = Event & { readonly data: { readonly taskIds: readonly string[] } }

const hex = '5ec4e7'.repeat(8)
const signingKey = `signkey-test-${hex}`
const eventKey = 'event-key'
const bearer = `Bearer signkey-test-${createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')}`

/**
 * An Inngest server (1.43), limited to the protocol that the service uses. The server accepts events even for unknown
 * functions, and requests a signed run for each event. The response to a wrong signing key is text, and every other
 * response is JSON. If `callsRegistered` is set, the server requests the runs over HTTP at the registered URL.
 */
export async function anInngestServer({ callsRegistered = false, port = 0 } = {}) {
  const held: Event[] = []
  const runs: Promise<Response>[] = []
  let knowsFunctions = true
  const server = Object.assign(await aReceiver(undefined, undefined, port), {
    behavior: 'runs' as Behavior,
    /** The app that runs the functions. With null, the server accepts events and runs nothing. */
    app: null as Pick<Functions, 'handler'> | null,
    environment: { INNGEST_SIGNING_KEY: signingKey, INNGEST_EVENT_KEY: eventKey, INNGEST_BASE_URL: '' },
    hex,
    sent: (): TaskEvent[] =>
      server.requests
        .filter(({ path }) => path.startsWith('/e/'))
        .flatMap(({ body }) => body.filter(({ data }: Event) => 'taskIds' in data)),
    /** Forgets functions and waiting events, as a server without a disk does at a restart. */
    loseState: () => {
      knowsFunctions = false
      held.length = 0
    },
    registrations: () => server.requests.filter(({ path }) => path === '/fn/register'),
    results: async () => {
      const answers = await Promise.all(runs.splice(0))
      return (await Promise.all(answers.map(resultOf))).filter(isOfTasks)
    },
    release: () => {
      for (const event of held.splice(0)) run(event)
    },
    request,
  })
  server.environment.INNGEST_BASE_URL = new URL(server.url).origin

  const run = (event: Event) => {
    if (server.app && knowsFunctions) runs.push(requestRun(event.name, event.data))
  }

  function request(name: string, taskIds: readonly string[], signed: Signed = {}): Promise<Response> {
    return requestRun(name, { taskIds }, signed)
  }

  function requestRun(name: string, data: Event['data'], signed: Signed = {}): Promise<Response> {
    if (!server.app) throw new Error('the server knows no app')
    return server.app.handler(runOf(name, data, { key: hex, ...signed }))
  }

  server.answer = (response, { path, headers, body }) => {
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (server.behavior === 'is down') return response.socket?.destroy()
    if (server.behavior === 'hangs') return
    if (path === '/fn/register') {
      if (headers.authorization !== bearer)
        return response.writeHead(401, { 'content-type': 'text/plain; charset=utf-8' }).end('Unauthorized\n')
      knowsFunctions = true
      if (callsRegistered) server.app = appAt(body.url)
      return json(200, { status: 200, modified: true })
    }
    if (path !== `/e/${eventKey}`) return json(401, { error: 'invalid event key', status: 401 })
    for (const event of body as Event[]) {
      if (server.behavior === 'holds') held.push(event)
      if (server.behavior === 'runs' || server.behavior === 'runs twice') run(event)
      if (server.behavior === 'runs twice') run(event)
    }
    return json(200, { ids: (body as Event[]).map(({ id }) => id), status: 200 })
  }
  return server
}

const appAt = (url: string): Pick<Functions, 'handler'> => ({
  async handler(run) {
    const headers = new Headers(run.headers)
    headers.delete('host')
    const request = { method: 'POST', headers, body: await run.text() }
    return fetch(new URL(new URL(run.url).search, url), request).catch((error) => {
      console.error(`${url} does not respond (${reasonOf(error)}). For an own certificate, set NODE_EXTRA_CA_CERTS.`)
      return Response.json({}, { status: 502 })
    })
  },
})

/** The signing key of a run (null: no signature), and the time of the signature in Unix seconds. */
interface Signed {
  readonly key?: string | null
  readonly t?: number
}

function runOf(name: string, data: Event['data'], { key, t = Math.floor(Date.now() / 1000) }: Signed): Request {
  const functionId = name.replace('billhook/', 'billhook-').replaceAll(/[._]/g, '-')
  const event = { id: 'event', name, data, ts: 0 }
  const ctx = { attempt: 0, fn_id: functionId, run_id: 'run', stack: { current: 0, stack: [] } }
  const body = JSON.stringify(sorted({ ctx, event, events: [event], steps: {}, version: 2 }))
  const signature = key && createHmac('sha256', key).update(body).update(String(t)).digest('hex')
  return new Request(`http://billhook.test/api/inngest?fnId=${functionId}&stepId=step`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      host: 'billhook.test',
      ...(signature && { 'x-inngest-signature': `t=${t}&s=${signature}` }),
    },
    body,
  })
}

/** The signature covers the canonical JSON (RFC 8785), so keys are sorted at every level. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}

const isOfTasks = (result: unknown) => typeof result === 'object' && result !== null && 'ran' in result

/**
 * Returns the result of a run. Inngest's client responds either with the result, or with the status 206 and a
 * `RunComplete` operation that contains the result.
 */
export async function resultOf(response: Response): Promise<unknown> {
  const body = await response.json()
  if (response.status !== 206) return body
  const [{ op, data }] = body
  if (op !== 'RunComplete') throw new Error(`a run ended with ${op}`)
  return data
}
