import cluster from 'node:cluster'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import { AggregatorRegistry } from 'prom-client'
import { onWake, wake } from '../platform/jobs/wake.ts'
import { within } from '../platform/within.ts'
import { registry } from './request-metrics.ts'
import type { Role } from './role.ts'

/**
 * The processes that share one port, and the one beside them that runs tasks. `scripts/supervisor.mjs` starts them and
 * passes messages between them; a process that runs alone has none to talk to.
 */

type Metrics = MetricObjectWithValues<MetricValue<string>>[]

/** What the supervisor says to a process. */
type Said =
  | { readonly kind: 'wake' }
  /** Asks for the metrics of this process. */
  | { readonly kind: 'count'; readonly id: number }
  /** The metrics of all processes, for the process that asked. */
  | { readonly kind: 'counted'; readonly all: readonly Metrics[] }

const patienceMs = 3_000
/** Two wake-ups within this time are one. */
const wakeEveryMs = 20

const say = (message: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })

const waiting: ((all: readonly Metrics[]) => void)[] = []
let wakesSoon = false

/** Begins to answer the supervisor. Returns how to leave, which hands over what was counted here. */
export function joinSiblings(role: Role): () => Promise<void> {
  if (!cluster.isWorker) return async () => undefined
  const receive = (message: Said) => {
    if (message.kind === 'wake') wake()
    if (message.kind === 'count') void sendMetrics({ kind: 'metrics', id: message.id })
    if (message.kind === 'counted') for (const done of waiting.splice(0)) done(message.all)
  }
  process.on('message', receive)
  // Tasks of a request run in another process.
  if (role === 'web') onWake(wakeSoon)
  return async () => {
    process.off('message', receive)
    if (role === 'web') onWake(undefined)
    await sendMetrics({ kind: 'last metrics' })
  }
}

const sendMetrics = async (about: object): Promise<void> =>
  say({ ...about, metrics: await registry.getMetricsAsJSON() })

function wakeSoon(): void {
  if (wakesSoon) return
  wakesSoon = true
  setTimeout(() => {
    wakesSoon = false
    void say({ kind: 'wake' })
  }, wakeEveryMs).unref()
}

/**
 * The metrics of all processes of this installation added up, in the text format of Prometheus; those of processes that
 * were replaced stay counted.
 */
export async function metricsOfAll(): Promise<string> {
  if (!cluster.isWorker) return registry.metrics()
  const all = await within(
    patienceMs,
    new Promise<readonly Metrics[]>((resolve) => {
      waiting.push(resolve)
      void say({ kind: 'count all' })
    }),
  )
  return AggregatorRegistry.aggregate([...all]).metrics()
}
