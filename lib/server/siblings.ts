import cluster from 'node:cluster'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import { AggregatorRegistry } from 'prom-client'
import { onWake, wake } from '../platform/jobs/wake.ts'
import { within } from '../platform/within.ts'
import { registry } from './request-metrics.ts'
import type { Role } from './role.ts'

/** `scripts/supervisor.mjs` starts several processes that share one port, and passes messages between these siblings. */

type Metrics = MetricObjectWithValues<MetricValue<string>>[]

type Said =
  | { readonly kind: 'wake' }
  | { readonly kind: 'count'; readonly id: number }
  | { readonly kind: 'counted'; readonly all: readonly Metrics[] }

const patienceMs = 3_000
const wakeEveryMs = 20

const say = (message: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })

const waiting: ((all: readonly Metrics[]) => void)[] = []
let wakesSoon = false

/** Connects this process to its siblings. The returned function disconnects this process, and sends the last metrics of this process to the supervisor. */
export function joinSiblings(role: Role): () => Promise<void> {
  if (!cluster.isWorker) return async () => undefined
  const receive = (message: Said) => {
    if (message.kind === 'wake') wake()
    if (message.kind === 'count') void sendMetrics({ kind: 'metrics', id: message.id })
    if (message.kind === 'counted') for (const done of waiting.splice(0)) done(message.all)
  }
  process.on('message', receive)
  // A request that creates a task in a web process must wake the process that runs tasks.
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

/** The metrics of all processes in the Prometheus text format, including the counters of replaced processes. */
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
