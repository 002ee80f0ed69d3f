import { Inngest, type InngestFunction } from 'inngest'
import { serve } from 'inngest/edge'
import { z } from 'zod'
import { Refusal, refusals } from '../../kernel/refusal.ts'
import { config } from '../config.ts'
import { leaveMark } from '../db/turn.ts'
import { readBody } from '../http/request-body.ts'
import { beginTasks, WaitingRuns } from './handed-over.ts'
import { InngestReplies } from './inngest-replies.ts'
import { InngestRunner } from './inngest-runner.ts'
import { Leases, leaseMs } from './leases.ts'
import { runBatch, runTask } from './run-task.ts'
import { concurrency, TaskPlaces } from './task-places.ts'
import type { TaskRunner } from './task-runner.ts'
import { dispatchTasks, type Job, queueOf, queues } from './tasks.ts'

export interface Functions {
  readonly functions: InngestFunction.Any[]
  /** Implements Inngest's wire protocol: PUT registers functions, and a signed POST runs a function. */
  readonly handler: (request: Request) => Promise<Response>
  readonly runner: TaskRunner
  readonly embedded: TaskRunner
}

const appId = 'billhook'
const servePath = '/api/inngest'
const functionId = (name: string) => name.replaceAll(/[._]/g, '-')
const eventName = (name: string) => `${appId}/${name}`

const handedOver = z.object({ taskIds: z.array(z.string()).max(1_000) })

/** This event proves that the server runs functions. The event belongs to no task, so it can be sent at any time. */
const probe = { id: 'task-server-probe', event: eventName('task_server.probe') }
const sentProbe = z.object({ probe: z.string().max(100) })

/** One Inngest function per job, and one for probes. Inngest does not retry, because task rows schedule retries. */
export function inngestFunctions(jobs: readonly Job[]): Functions {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const runInTurn = runsInTurn(byName)
  const define = (client: Inngest) => [
    ...jobs.map((job) =>
      client.createFunction(
        { id: functionId(job.name), retries: 0, triggers: [{ event: eventName(job.name) }] },
        ({ event }) => runInTurn(job.name, event.data),
      ),
    ),
    client.createFunction({ id: probe.id, retries: 0, triggers: [{ event: probe.event }] }, ({ event }) =>
      leaveMark(sentProbe.parse(event.data).probe),
    ),
  ]

  const { inngest, publicBaseUrl } = config()
  // Runs a job without the HTTP round trip to Inngest, because the round trip takes longer than most jobs.
  const embedded: TaskRunner = {
    leaseMs,
    async run(task) {
      await runTask(byName, task)
    },
    batchOf: (kind) => (byName.get(kind)?.isBatched ? (tasks) => runBatch(byName, tasks) : null),
  }

  const replies = new InngestReplies()
  const remote = inngest
    ? new Inngest({
        id: appId,
        isDev: inngest.dev,
        logger: silent,
        fetch: replies.fetch,
        ...(inngest.eventKey && { eventKey: inngest.eventKey }),
        ...(inngest.signingKey && { signingKey: inngest.signingKey }),
        ...(inngest.baseUrl && { baseUrl: inngest.baseUrl }),
      })
    : null
  const served = remote ?? new Inngest({ id: appId, isDev: false, logger: silent })
  const functions = define(served)
  // The handler registers the configured address, because the Host header of a registration request cannot be trusted.
  const handler = remote
    ? withLimit(serve({ client: remote, functions, serveOrigin: publicBaseUrl, servePath }))
    : async () => new Response('Inngest is not configured.', { status: 404 })
  return {
    functions,
    handler,
    runner:
      inngest && remote
        ? new InngestRunner({
            ...inngest,
            register: () =>
              handler(
                new Request(`${publicBaseUrl}${servePath}`, {
                  method: 'PUT',
                  headers: { host: new URL(publicBaseUrl).host },
                }),
              ),
            send: async (name, id, taskIds) => {
              await remote.send({ id, name: eventName(name), data: { taskIds } })
            },
            probe: async (id) => {
              await remote.send({ id, name: probe.event, data: { probe: id } })
            },
            problem: (asked) => replies.problem(asked),
          })
        : embedded,
    embedded,
  }
}

/** Runs the tasks of an event, except tasks that another run has already claimed. Waits for free slots, because Inngest may start any number of runs. */
function runsInTurn(byName: ReadonlyMap<string, Job>) {
  const leases = new Leases()
  const waitingRuns = new WaitingRuns()
  const places = new Map(queues.map((queue) => [queue, new TaskPlaces(concurrency[queue])]))
  async function runHandedOver(taskIds: readonly string[]): Promise<{ ran: number }> {
    const claims = await beginTasks(taskIds)
    leases.start()
    for (const claim of claims) leases.hold(claim)
    try {
      await runBatch(byName, claims)
    } finally {
      for (const claim of claims) leases.drop(claim)
    }
    return { ran: claims.length }
  }
  return async (name: string, data: unknown): Promise<{ ran: number }> => {
    const { taskIds } = handedOver.parse(data)
    const ofQueue = dispatchTasks.has(name) ? undefined : places.get(queueOf(name))
    const free = ofQueue && (await waitingRuns.until(taskIds, ofQueue.take(taskIds.length)))
    return runHandedOver(taskIds).finally(() => free?.())
  }
}

/** Limits bodies to 1 MB, because the library parses a body before it checks the signature. The body of a run has up to 5 KB. */
const withLimit = (handler: Functions['handler']): Functions['handler'] => {
  return async (request) => {
    const { url, method, headers } = request
    let body: Buffer<ArrayBuffer>
    try {
      body = Buffer.from(await readBody(request))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return new Response(error.message, { status: refusals[error.code].status })
    }
    return handler(new Request(url, { method, headers, body: body.byteLength > 0 ? body : null }))
  }
}

const ignore = () => undefined
/** Silences the library's log, because its lines would contain bodies. Our own log reports failed tasks. */
const silent = { info: ignore, warn: ignore, error: ignore, debug: ignore }
