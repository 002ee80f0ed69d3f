import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { planClosing } from '../modules/figures/operations.ts'
import { planChecks } from '../modules/invariants/operations.ts'
import { stopDrawing } from '../modules/invoices/draw-documents.ts'
import { config } from '../platform/config.ts'
import { closeDatabase, db } from '../platform/db/db.ts'
import { requireSettings } from '../platform/db/sessions.ts'
import { writeUses } from '../platform/http/key-use.ts'
import { notRouted, tooMuchUnread } from '../platform/http/keyless.ts'
import { inPageRequest } from '../platform/http/once-per-request.ts'
import { sharedLimits } from '../platform/http/shared-limits.ts'
import { startWorker, stopWorker } from '../platform/jobs/worker.ts'
import { log } from '../platform/log.ts'
import { serviceProblems } from '../platform/outbound/service-problems.ts'
import { shortError } from '../platform/short-error.ts'
import { startFetchingRates } from '../workflows/exchange-rates/fetch.ts'
import { checkAccounts } from '../workflows/provider-accounts/fit.ts'
import { startFindingChargebacks } from '../workflows/provider-notices/missed.ts'
import { startReconciling } from '../workflows/reconciliation/daily.ts'
import { planRemoval } from '../workflows/retention/operations.ts'
import { compressedFiles } from './compressed-files.ts'
import { drain } from './drain.ts'
import { startHousekeeping } from './housekeeping.ts'
import { tasks } from './jobs.ts'
import { type Listener, listen } from './listen.ts'
import { inTurns } from './page-queue.ts'
import { profileOn } from './profile.ts'
import { countRequest } from './request-metrics.ts'
import type { Role } from './role.ts'
import type { RouteFile } from './router.ts'
import { proveSecretKey } from './secret-key.ts'
import { joinSiblings } from './siblings.ts'
import { startTelemetry } from './telemetry.ts'
import { requireUsableDatabase } from './usable-database.ts'

const drainMs = 10_000
/**
 * Milliseconds to wait for requests in progress. This time is longer than the longest response, which waits 30 seconds
 * for a test clock advance.
 */
const patientDrainMs = 35_000
const lingerMs = 2_000
const profileMs = 10_000

/**
 * `now` closes the port and idle connections immediately. `gently` keeps them open briefly, because clients may be sending requests or connecting.
 * `patiently` also waits for the longest response.
 */
export type Ending = 'now' | 'gently' | 'patiently'

const workerPaths = ['/livez', '/readyz', '/metrics']

/**
 * Starts the service. The database must be migrated, and the pages must be built unless the process only runs tasks.
 * @returns a function that stops the service: it closes the port, waits for requests in progress and then for
 * running tasks, and closes the database connections
 */
export async function serve(
  routes: readonly RouteFile[],
  root: string,
  role: Role,
): Promise<{ stop: (ending?: Ending) => Promise<void> }> {
  const stopTelemetry = await startTelemetry(role)
  await requireUsableDatabase()
  await requireSettings((text) => db().$queryRawUnsafe(text))
  // Must run before anything is encrypted, because values encrypted with a wrong key could be lost.
  await proveSecretKey()
  // Must run before the pages are loaded, because loading the pages can block the event loop longer than the connection timeout.
  if (role !== 'web') await Promise.all([planChecks(), planClosing(), planRemoval()])
  const isWeb = role === 'all' || role === 'web'
  const site = isWeb ? await openSite(root, config().port) : null
  const listener = role === 'tasks' ? null : await openPort(routes, site)
  sharedLimits().start()
  serviceProblems().start()
  const leaveSiblings = joinSiblings(role)
  // Not awaited, because an unavailable provider must not delay startup.
  checkAccounts().catch((error) =>
    log.error({ error: shortError(error) }, 'an account for live payments could not be checked'),
  )
  if (role !== 'web') startWorker(tasks.runner, tasks.embedded)
  const stopHousekeeping = role === 'web' ? async () => undefined : startHousekeeping()
  const stopFetching = role === 'web' ? async () => undefined : startFetchingRates()
  const stopReconciling = role === 'web' ? async () => undefined : startReconciling()
  const stopFinding = role === 'web' ? async () => undefined : startFindingChargebacks()
  const stopProfiling = profileOn('SIGUSR2', profileMs, (outcome) =>
    'file' in outcome
      ? log.info({ file: outcome.file }, 'profile recorded')
      : log.warn({ error: shortError(outcome.error) }, 'the profile could not be recorded'),
  )
  return {
    async stop(ending = 'now') {
      stopProfiling()
      await drain(listener, ending === 'patiently' ? patientDrainMs : drainMs, ending === 'now' ? 0 : lingerMs)
      await Promise.all([
        stopWorker(),
        stopHousekeeping(),
        stopFinding(),
        stopReconciling(),
        stopFetching(),
        stopDrawing(),
      ])
      await writeUses().catch((error) =>
        log.warn({ error: shortError(error) }, 'the last uses of API keys could not be written'),
      )
      await sharedLimits().stop()
      await serviceProblems().stop()
      await leaveSiblings()
      await site?.close()
      await closeDatabase()
      await stopTelemetry()
    },
  }
}

type Site = Awaited<ReturnType<typeof openSite>>

function openPort(routes: readonly RouteFile[], site: Site | null): Promise<Listener> {
  const { port, listenAddress, publicBaseUrl, clientAddressHeader, maxConnectionsPerAddress } = config()
  return listen({
    port,
    address: listenAddress,
    clientAddressHeader,
    // Behind a proxy, the limit is off, because all connections have the address of the proxy.
    maxConnectionsPerAddress: clientAddressHeader === null ? maxConnectionsPerAddress : 0,
    baseUrl: publicBaseUrl,
    routes: site ? routes : routes.filter((route) => workerPaths.includes(route.path)),
    notRouted,
    unread: tooMuchUnread,
    pages: site?.pages ?? (async (_message, response) => void response.writeHead(404).end()),
    served: countRequest,
    report: (error) =>
      log.error(
        { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) },
        'request failed',
      ),
  })
}

async function openSite(root: string, port: number) {
  // Next.js adds an `upgrade` listener to its server and never responds to upgrade requests, so Next.js gets a server
  // without a port.
  const { default: next } = await import('next')
  const app = next({ dev: false, dir: root, port, httpServer: createServer() })
  await app.prepare()
  const handler = app.getRequestHandler()
  const answer = inTurns((message, response) => inPageRequest(() => handler(message, response)))
  const compressed = compressedFiles(path.join(root, '.next/static'), '/_next/static/')
  return {
    pages: async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (compressed(message, response)) return
      // `/_next/` paths other than `/_next/static/` exist only in development, so they get 404 without a rendered page.
      if (/^\/_next\/(?!static\/)/.test(message.url ?? '')) return void response.writeHead(404).end()
      // For a path without a page, Next.js begins several responses, and each adds listeners. The default of 10 listeners would cause a warning.
      response.setMaxListeners(50)
      await answer(message, response)
    },
    close: () => app.close(),
  }
}
