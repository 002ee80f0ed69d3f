import { type HrTime, ValueType } from '@opentelemetry/api'
import { core, metrics as sdk } from '@opentelemetry/sdk-node'
import type { Metric, MetricValue } from './metric.ts'

const units: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By' }

const aggregationTemporality = sdk.AggregationTemporality.CUMULATIVE

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** Converts a metric for OpenTelemetry. Returns an empty list for a metric without values. */
export function metricData(metric: Metric): sdk.MetricData[] {
  const { name, help: description, type } = metric
  const times = { startTime: core.millisToHrTime(performance.timeOrigin), endTime: core.millisToHrTime(Date.now()) }
  const unit = units[/_([a-z]+?)(?:_total)?$/.exec(name)?.[1] ?? ''] ?? ''
  const base = { descriptor: { name, description, unit, valueType: ValueType.DOUBLE }, aggregationTemporality }
  if (type === 'histogram') {
    const dataPoints = histogramPoints(metric, times)
    return dataPoints.length > 0 ? [{ ...base, dataPointType: sdk.DataPointType.HISTOGRAM, dataPoints }] : []
  }
  const dataPoints = metric.values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels = {}, value }) => ({ ...times, attributes: labels, value }))
  if (dataPoints.length === 0) return []
  return type === 'counter'
    ? [{ ...base, dataPointType: sdk.DataPointType.SUM, dataPoints, isMonotonic: true }]
    : [{ ...base, dataPointType: sdk.DataPointType.GAUGE, dataPoints }]
}

/**
 * Prometheus buckets are cumulative and OpenTelemetry buckets are not, so each count excludes the counts of smaller
 * buckets.
 */
function histogramPoints({ name, values }: Metric, times: Times) {
  const series = new Map<string, MetricValue[]>()
  for (const value of values) {
    const { le: _, ...labels } = value.labels ?? {}
    const key = JSON.stringify(labels)
    series.set(key, [...(series.get(key) ?? []), value])
  }
  return [...series].map(([labels, parts]) => {
    const of = (part: string) => parts.filter(({ metricName }) => metricName === `${name}_${part}`)
    const buckets = of('bucket')
    const boundaries = buckets.flatMap(({ labels }) => (labels?.le === '+Inf' ? [] : Number(labels?.le)))
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0))
    const value = { buckets: { boundaries, counts }, sum: only(of('sum')), count: only(of('count')) }
    return { ...times, attributes: JSON.parse(labels), value }
  })
}

const only = ([part]: readonly MetricValue[]): number => part?.value ?? 0
