export interface Metric {
  /** Ends with the unit if the metric has one, as in the naming rules of Prometheus. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly values: readonly MetricValue[]
}

export interface MetricValue {
  readonly labels?: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  /**
   * The name of this value of a histogram. `…_bucket` counts values up to the label `le`. `…_sum` and `…_count` have no
   * label `le`.
   */
  readonly metricName?: string
}
