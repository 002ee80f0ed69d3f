import { attributesOf, nanosecondsOf, scope } from './otlp.ts'

/** Metrics as OTLP has them, from what Prometheus is shown: the same names, help texts and labels. */

/** A metric as `prom-client` describes it. */
export interface Metric {
  /** With the unit last, as Prometheus requires. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly values: readonly MetricValue[]
}

interface MetricValue {
  readonly labels?: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  /** Of a histogram: `…_bucket`, which counts what is at most the label `le`, `…_sum` or `…_count`. */
  readonly metricName?: string
}

/** Milliseconds since 1970: since when counters count, and when they were read. */
export interface Counted {
  readonly since: number
  readonly at: number
}

type Times = Readonly<Record<'startTimeUnixNano' | 'timeUnixNano', string>>

const cumulative = 2
const units: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By' }

/** The body of `POST /v1/metrics`. Metrics without values are left out. */
export const otlpMetrics = (attributes: object, metrics: readonly Metric[], counted: Counted) => ({
  resourceMetrics: [
    {
      resource: { attributes: attributesOf(attributes) },
      scopeMetrics: [{ scope, metrics: metrics.flatMap((metric) => otlpMetric(metric, counted)) }],
    },
  ],
})

function otlpMetric(metric: Metric, counted: Counted): object[] {
  const { name, help: description, type } = metric
  const times = { startTimeUnixNano: nanosecondsOf(counted.since), timeUnixNano: nanosecondsOf(counted.at) }
  const dataPoints = type === 'histogram' ? histogramPoints(metric, times) : numberPoints(metric, times)
  if (dataPoints.length === 0) return []
  const unit = units[/_([a-z]+?)(?:_total)?$/.exec(name)?.[1] ?? ''] ?? ''
  const data = {
    counter: { sum: { dataPoints, aggregationTemporality: cumulative, isMonotonic: true } },
    gauge: { gauge: { dataPoints } },
    histogram: { histogram: { dataPoints, aggregationTemporality: cumulative } },
  }[type]
  return [{ name, description, unit, ...data }]
}

/** JSON has no word for what is not a number, and such a value says nothing. */
const numberPoints = ({ type, values }: Metric, { startTimeUnixNano, timeUnixNano }: Times) =>
  values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels = {}, value }) => ({
      attributes: attributesOf(labels),
      ...(type === 'counter' && { startTimeUnixNano }),
      timeUnixNano,
      asDouble: value,
    }))

/** A bucket of Prometheus counts what is at most its bound; one of OTLP, what is more than the bound before it as well. */
function histogramPoints({ name, values }: Metric, times: Times) {
  const series = new Map<string, MetricValue[]>()
  for (const value of values) {
    const { le: _, ...labels } = value.labels ?? {}
    const key = JSON.stringify(labels)
    series.set(key, [...(series.get(key) ?? []), value])
  }
  return [...series].map(([labels, ofSeries]) => {
    const buckets = ofSeries.filter(({ metricName }) => metricName === `${name}_bucket`)
    const partOf = (part: string) => ofSeries.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0
    return {
      attributes: attributesOf(JSON.parse(labels)),
      ...times,
      count: String(partOf('count')),
      sum: partOf('sum'),
      bucketCounts: buckets.map(({ value }, index) => String(value - (buckets[index - 1]?.value ?? 0))),
      explicitBounds: buckets.flatMap(({ labels }) => (labels?.le === '+Inf' ? [] : Number(labels?.le))),
    }
  })
}
