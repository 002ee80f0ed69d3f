import { createServer } from 'node:http'
import path from 'node:path'
import next from 'next'
import { planChecks } from '../modules/invariants/operations.ts'
import { stopDrawing } from '../modules/invoices/hosted.ts'
import { config } from '../platform/config.ts'
import { closeDatabase } from '../platform/db/db.ts'
import { notRouted } from '../platform/http/keyless.ts'
import { startWorker, stopWorker } from '../platform/jobs/worker.ts'
import { log } from '../platform/log.ts'
import { compressedFiles } from './compressed-files.ts'
import { startHousekeeping } from './housekeeping.ts'
import { tasks } from './jobs.ts'
import { listen } from './listen.ts'
import type { RouteFile } from './router.ts'

const drainMs = 10_000

/**
 * Runs the whole service in this process: the API, the pages and the worker. The database must be migrated and the
 * pages built before.
 * @returns how to stop it: it accepts no new requests, waits for running requests, then for running tasks, then closes
 * the database's connections
 */
export async function serve(routes: readonly RouteFile[], root: string): Promise<{ stop: () => Promise<void> }> {
  const { port, publicBaseUrl, clientAddressHeader, maxConnectionsPerAddress } = config()
  // Next adds an upgrade listener to the server of its first request, and then leaves every upgrade unanswered and
  // open. So it gets a server that never listens: ours answers such requests like any other.
  const app = next({ dev: false, dir: root, port, httpServer: createServer() })
  await app.prepare()
  const pages = app.getRequestHandler()
  const compressed = compressedFiles(path.join(root, '.next/static'), '/_next/static/')
  await planChecks()
  const listener = await listen({
    port,
    clientAddressHeader,
    // Behind a proxy all connections come from the proxy.
    maxConnectionsPerAddress: clientAddressHeader === null ? maxConnectionsPerAddress : 0,
    baseUrl: publicBaseUrl,
    routes,
    notRouted,
    pages: async (message, response) => {
      if (compressed(message, response)) return
      // Next's other addresses are for its development server and do not deserve a rendered error page.
      if (/^\/_next\/(?!static\/)/.test(message.url ?? '')) return void response.writeHead(404).end()
      await pages(message, response)
    },
    report: (error) =>
      log.error(
        { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) },
        'request failed',
      ),
  })
  startWorker(tasks.runner, tasks.embedded)
  const stopHousekeeping = startHousekeeping()
  return {
    async stop() {
      await listener.close(drainMs)
      await Promise.all([stopWorker(), stopHousekeeping(), stopDrawing()])
      await app.close()
      await closeDatabase()
    },
  }
}
