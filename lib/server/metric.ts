/** A metric as `prom-client` describes it. */
export interface Metric {
  /** With the unit last, as Prometheus requires. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly values: readonly MetricValue[]
}

export interface MetricValue {
  readonly labels?: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  /** The part of a histogram: `…_bucket` counts values of at most the label `le`; `…_sum` and `…_count` have no `le`. */
  readonly metricName?: string
}
