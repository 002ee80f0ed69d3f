import { Inngest, type InngestFunction } from 'inngest'
import { serve } from 'inngest/edge'
import type { Bell, Rung } from './bell.ts'
import { config } from './config.ts'
import { runTask } from './run-task.ts'
import type { Job } from './tasks.ts'

/** The functions of the app, the handler that serves them, and the two ways to ring them. */
export interface Functions {
  readonly functions: InngestFunction.Any[]
  /** Speaks Inngest's wire protocol: register by PUT, run by signed POST. */
  readonly handler: (request: Request) => Promise<Response>
  /** Hands a task to Inngest when INNGEST_* is set, else runs it here. */
  readonly bell: Bell
  /** Calls the very same function in this process and waits for its end. */
  readonly embedded: Bell
}

const appId = 'billhook'
const functionId = (name: string) => name.replaceAll(/[._]/g, '-')
const eventName = (name: string) => `${appId}/${name}`

/** One Inngest function per job: it runs the task's row and leaves retrying to the row, which is the truth. */
export function inngestFunctions(jobs: readonly Job[]): Functions {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const define = (client: Inngest) =>
    jobs.map((job) =>
      client.createFunction(
        { id: functionId(job.name), retries: 0, triggers: [{ event: eventName(job.name) }] },
        ({ event }) =>
          runTask(byName, { taskId: String(event.data.taskId), generation: Number(event.data.generation) }),
      ),
    )

  const { inngest, publicBaseUrl } = config()
  // In-process calls need no signature; the mode is the client's own, so that the server's stays signed.
  const local = new Inngest({ id: appId, isDev: true, logger: silent })
  const callLocally = serve({ client: local, functions: define(local) })
  const embedded: Bell = {
    leaseMs: 90_000,
    async ring(task) {
      const response = await callLocally(wireCall(task))
      if (!response.ok) throw new Error(`task ${task.name} could not be run: ${(await response.text()).slice(0, 300)}`)
    },
  }

  const remote = inngest
    ? new Inngest({
        id: appId,
        isDev: inngest.dev,
        logger: silent,
        ...(inngest.eventKey && { eventKey: inngest.eventKey }),
        ...(inngest.signingKey && { signingKey: inngest.signingKey }),
        ...(inngest.baseUrl && { baseUrl: inngest.baseUrl }),
      })
    : null
  const served = remote ?? new Inngest({ id: appId, isDev: false, logger: silent })
  const functions = define(served)
  return {
    functions,
    handler: remote
      ? // Registered under the configured address: whoever asks for a registration could name another one as its Host.
        serve({ client: remote, functions, serveOrigin: publicBaseUrl, servePath: '/api/inngest' })
      : async () => new Response('Inngest is not configured.', { status: 404 }),
    bell: remote
      ? {
          leaseMs: 10 * 60_000,
          async ring({ name, taskId, generation }) {
            await remote.send({ id: `${taskId}:${generation}`, name: eventName(name), data: { taskId, generation } })
          },
        }
      : embedded,
    embedded,
  }
}

/** A run of one function as an Inngest server asks for it. */
function wireCall({ name, taskId, generation }: Rung): Request {
  const event = { id: `${taskId}:${generation}`, name: eventName(name), data: { taskId, generation }, ts: Date.now() }
  return new Request(`http://localhost/api/inngest?fnId=${appId}-${functionId(name)}&stepId=step`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'localhost' },
    body: JSON.stringify({
      version: 2,
      event,
      events: [event],
      steps: {},
      ctx: {
        run_id: event.id,
        attempt: 0,
        max_attempts: 1,
        disable_immediate_execution: false,
        use_api: false,
        stack: { stack: [], current: 0 },
      },
    }),
  })
}

const ignore = () => undefined
/** Our own log tells of failed tasks; the library's says it again with bodies. */
const silent = { info: ignore, warn: ignore, error: ignore, debug: ignore }
