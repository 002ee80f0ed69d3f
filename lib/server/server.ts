import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import next from 'next'
import { planChecks } from '../modules/invariants/operations.ts'
import { stopDrawing } from '../modules/invoices/hosted.ts'
import { config } from '../platform/config.ts'
import { closeDatabase } from '../platform/db/db.ts'
import { notRouted } from '../platform/http/keyless.ts'
import { startWorker, stopWorker } from '../platform/jobs/worker.ts'
import { log } from '../platform/log.ts'
import { shortError } from '../platform/short-error.ts'
import { startFetchingRates } from '../workflows/exchange-rates/fetch.ts'
import { startFindingChargebacks } from '../workflows/provider-notices/missed.ts'
import { startReconciling } from '../workflows/reconciliation/daily.ts'
import { compressedFiles } from './compressed-files.ts'
import { startHousekeeping } from './housekeeping.ts'
import { tasks } from './jobs.ts'
import { listen } from './listen.ts'
import { profileOn } from './profile.ts'
import { countRequest } from './request-metrics.ts'
import type { RouteFile } from './router.ts'
import { sendWithoutScripts } from './static-pages.ts'

const drainMs = 10_000
const profileMs = 10_000

/** What a process does: answer the API and the pages, run tasks, or both. */
export type Role = 'all' | 'web' | 'worker'

/** What a process that only runs tasks answers: whether it lives, and how it does. */
const workerPaths = ['/livez', '/readyz', '/metrics']

/**
 * Runs the service in this process: the API and the pages, the worker, or all of it. The database must be migrated
 * before, and the pages built unless it only runs tasks.
 * @returns how to stop it: it accepts no new requests, waits for running requests, then for running tasks, then closes
 * the database's connections
 */
export async function serve(
  routes: readonly RouteFile[],
  root: string,
  role: Role,
): Promise<{ stop: () => Promise<void> }> {
  const { port, publicBaseUrl, clientAddressHeader, maxConnectionsPerAddress } = config()
  const site = role === 'worker' ? null : await openSite(root, port)
  if (role !== 'web') await planChecks()
  const listener = await listen({
    port,
    clientAddressHeader,
    // Behind a proxy all connections come from the proxy.
    maxConnectionsPerAddress: clientAddressHeader === null ? maxConnectionsPerAddress : 0,
    baseUrl: publicBaseUrl,
    routes: site ? routes : routes.filter((route) => workerPaths.includes(route.path)),
    notRouted,
    pages: site?.pages ?? (async (_message, response) => void response.writeHead(404).end()),
    served: countRequest,
    report: (error) =>
      log.error(
        { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) },
        'request failed',
      ),
  })
  if (role !== 'web') startWorker(tasks.runner, tasks.embedded)
  const stopHousekeeping = role === 'web' ? async () => undefined : startHousekeeping()
  const stopFetching = role === 'web' ? async () => undefined : startFetchingRates()
  const stopReconciling = role === 'web' ? async () => undefined : startReconciling()
  const stopFinding = role === 'web' ? async () => undefined : startFindingChargebacks()
  const stopProfiling = profileOn('SIGUSR2', profileMs, (outcome) =>
    'file' in outcome
      ? log.info({ file: outcome.file }, 'profile recorded')
      : log.warn({ error: shortError(outcome.error) }, 'no profile recorded'),
  )
  return {
    async stop() {
      stopProfiling()
      await listener.close(drainMs)
      await Promise.all([
        stopWorker(),
        stopHousekeeping(),
        stopFinding(),
        stopReconciling(),
        stopFetching(),
        stopDrawing(),
      ])
      await site?.close()
      await closeDatabase()
    },
  }
}

/** The pages, as Next built them. */
async function openSite(root: string, port: number) {
  // Next adds an upgrade listener to the server of its first request, and then leaves every upgrade unanswered and
  // open. So it gets a server that never listens: ours answers such requests like any other.
  const app = next({ dev: false, dir: root, port, httpServer: createServer() })
  await app.prepare()
  const answer = app.getRequestHandler()
  const compressed = compressedFiles(path.join(root, '.next/static'), '/_next/static/')
  return {
    pages: async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (compressed(message, response)) return
      // Next's other addresses are for its development server and do not deserve a rendered error page.
      if (/^\/_next\/(?!static\/)/.test(message.url ?? '')) return void response.writeHead(404).end()
      if (!/^\/(?:admin|_next)(?:[/?]|$)/.test(message.url ?? '')) sendWithoutScripts(message, response)
      // For a path that no page was built for, Next begins several answers, each with listeners that end with the response.
      response.setMaxListeners(50)
      await answer(message, response)
    },
    close: () => app.close(),
  }
}
