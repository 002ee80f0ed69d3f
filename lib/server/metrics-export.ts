import type { Config } from '../platform/config.ts'
import { takeTurn } from '../platform/db/turn.ts'
import { every } from '../platform/every.ts'
import { Outage } from '../platform/outage.ts'
import { databaseMetrics } from './metrics.ts'
import { processAttributes, serviceAttributes } from './otlp.ts'
import { type Metric, otlpMetrics } from './otlp-metrics.ts'
import { otlpSender } from './otlp-sender.ts'
import { registry } from './request-metrics.ts'
import type { Role } from './role.ts'

/** A turn is over somewhat before the next push of the process that had it, whose timer is not exact. */
const turnPart = 0.9

/**
 * Begins to send what `/metrics` says to a collector, at an interval. Each process sends what it counted itself; what is
 * counted in the database, one of those that run tasks sends. Returns how to send once more and end.
 */
export function startMetricsExport(
  { intervalMs, ...collector }: NonNullable<Config['telemetry']['metrics']>,
  service: Readonly<Record<string, string>>,
  role: Role,
): () => Promise<void> {
  const send = otlpSender(collector)
  const push = (attributes: object, metrics: readonly Metric[]) =>
    send(otlpMetrics(attributes, metrics, { since: performance.timeOrigin, at: Date.now() }))
  const pushOwn = async () => push(processAttributes(service), await processMetrics())
  const pushDatabase = async () => {
    if (await takeTurn('metrics', intervalMs * turnPart))
      await push(serviceAttributes(service), await databaseMetrics())
  }
  const endOwn = pushEvery(intervalMs, pushOwn, 'the metrics of this process could not be sent')
  const endDatabase =
    role === 'web'
      ? async () => undefined
      : pushEvery(intervalMs, pushDatabase, 'the metrics of the database could not be sent')
  return async () => {
    await Promise.all([endOwn(), endDatabase()])
    await pushOwn()
  }
}

/** `prom-client` declares the types of metrics as numbers, but has words. */
const processMetrics = async () => (await registry.getMetricsAsJSON()) as unknown as readonly Metric[]

/** Pushes at an interval. Returns how to end, which waits for a push in progress. */
function pushEvery(ms: number, push: () => Promise<void>, sentence: string): () => Promise<void> {
  const outage = new Outage(sentence)
  return every(
    ms,
    () => push().then(() => outage.ends()),
    (error) => outage.begins(error),
  )
}
