import { Inngest, type InngestFunction } from 'inngest'
import { serve } from 'inngest/edge'
import { config } from '../config.ts'
import { leaseMs } from './leases.ts'
import { runBatch, runTask } from './run-task.ts'
import type { TaskRunner } from './task-runner.ts'
import type { Job } from './tasks.ts'

/** The functions of the app, the handler that serves them, and the two ways to run them. */
export interface Functions {
  readonly functions: InngestFunction.Any[]
  /** Implements Inngest's wire protocol: PUT registers, a signed POST runs. */
  readonly handler: (request: Request) => Promise<Response>
  /** Hands a task to Inngest if INNGEST_* is set, else runs it in this process. */
  readonly runner: TaskRunner
  /** Runs the same operations in this process and waits for their end. */
  readonly embedded: TaskRunner
}

const appId = 'billhook'
const functionId = (name: string) => name.replaceAll(/[._]/g, '-')
const eventName = (name: string) => `${appId}/${name}`

/** One Inngest function per job: it runs the task's row. Retries are left to the row, which is authoritative. */
export function inngestFunctions(jobs: readonly Job[]): Functions {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const define = (client: Inngest) =>
    jobs.map((job) =>
      client.createFunction(
        { id: functionId(job.name), retries: 0, triggers: [{ event: eventName(job.name) }] },
        ({ event }) =>
          runTask(byName, { taskId: String(event.data.taskId), claimVersion: Number(event.data.claimVersion) }),
      ),
    )

  const { inngest, publicBaseUrl } = config()
  // Does what an Inngest function does, without the HTTP round trip, which takes longer than most tasks.
  const embedded: TaskRunner = {
    leaseMs,
    async run(task) {
      await runTask(byName, task)
    },
    batchOf: (kind) => (byName.get(kind)?.isBatched ? (tasks) => runBatch(byName, tasks) : null),
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
      ? // Registered under the configured address: the client that asks for a registration could send any Host.
        serve({ client: remote, functions, serveOrigin: publicBaseUrl, servePath: '/api/inngest' })
      : async () => new Response('Inngest is not configured.', { status: 404 }),
    runner: remote
      ? {
          leaseMs: 10 * 60_000,
          async run({ name, taskId, claimVersion }) {
            await remote.send({
              id: `${taskId}:${claimVersion}`,
              name: eventName(name),
              data: { taskId, claimVersion },
            })
          },
        }
      : embedded,
    embedded,
  }
}

const ignore = () => undefined
/** Our own log reports failed tasks; the library would log them again, with bodies. */
const silent = { info: ignore, warn: ignore, error: ignore, debug: ignore }
