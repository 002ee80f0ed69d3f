import type { ServerWatch } from './server-watch.ts'

/** How the task server does, for those who show it: the process that runs tasks knows, and reports it to those beside it. */

/** A report holds this long. */
const holdsMs = 10_000

// The server's bundle and the pages' bundle are two module graphs in one process; what the server knows, the pages show.
const shared = globalThis as typeof globalThis & {
  billhookTaskServer?: ServerWatch | undefined
  billhookTaskServerReport?: { readonly state: string; readonly at: number } | undefined
}

/** This process hands tasks over, so it sees for itself. */
export function watchTaskServer(watch: ServerWatch): void {
  shared.billhookTaskServer = watch
}

/** Keeps what the process beside this one that runs tasks says of the task server. */
export function keepTaskServerReport(state: string, now = performance.now()): void {
  shared.billhookTaskServerReport = { state, at: now }
}

/**
 * `ok`, or for how long the task server has been away and why, as this process sees it or the one beside it that runs
 * tasks. Null without a task server.
 */
export function taskServerState(now = performance.now()): string | null {
  const { billhookTaskServer: watch, billhookTaskServerReport: report } = shared
  if (watch) {
    const away = watch.away(now)
    return away ? `away for ${away.seconds} s: ${away.reason}` : 'ok'
  }
  if (!report) return null
  return now - report.at < holdsMs ? report.state : 'the process that runs tasks says nothing'
}
