import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { type Metric, otlpMetrics } from './otlp-metrics.ts'
import { registry } from './request-metrics.ts'

const counted = { since: 1_000, at: 2_000.5 }
const [startTimeUnixNano, timeUnixNano] = ['1000000000', '2000500000']

const written = (metrics: readonly Metric[]): object[] =>
  otlpMetrics({ 'service.name': 'shop' }, metrics, counted).resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? []
const gauge = (values: Metric['values'], name = 'depth'): Metric => ({ name, help: 'Its help.', type: 'gauge', values })
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

describe('a metric in OTLP', () => {
  it('belongs to who sends it', () => {
    expect(otlpMetrics({ 'service.name': 'shop', 'process.pid': 7 }, [], counted)).toEqual({
      resourceMetrics: [
        {
          resource: { attributes: [text('service.name', 'shop'), { key: 'process.pid', value: { intValue: '7' } }] },
          scopeMetrics: [{ scope: { name: 'billhook' }, metrics: [] }],
        },
      ],
    })
  })

  it.each<[string, Metric, object[]]>([
    [
      'a gauge has no beginning',
      gauge([{ value: 3 }]),
      [
        {
          name: 'depth',
          description: 'Its help.',
          unit: '',
          gauge: { dataPoints: [{ attributes: [], timeUnixNano, asDouble: 3 }] },
        },
      ],
    ],
    [
      'a counter counts since its beginning, and never less',
      {
        name: 'cpu_seconds_total',
        help: 'Its help.',
        type: 'counter',
        values: [{ labels: { part: 'a' }, value: 1.5 }],
      },
      [
        {
          name: 'cpu_seconds_total',
          description: 'Its help.',
          unit: 's',
          sum: {
            dataPoints: [{ attributes: [text('part', 'a')], startTimeUnixNano, timeUnixNano, asDouble: 1.5 }],
            aggregationTemporality: 2,
            isMonotonic: true,
          },
        },
      ],
    ],
    ['what has no values is left out', gauge([]), []],
    ['what is no number is left out', gauge([{ value: Number.NaN }, { value: Number.POSITIVE_INFINITY }]), []],
  ])('%s', (_, metric, expected) => {
    expect(written([metric])).toEqual(expected)
  })

  it.each([
    ['process_resident_memory_bytes', 'By'],
    ['lag_seconds', 's'],
    ['cpu_seconds_total', 's'],
    ['requests_total', ''],
    ['seconds', ''],
    ['tasks_due', ''],
  ])('%s has the unit "%s"', (name, unit) => {
    expect(written([gauge([{ value: 1 }], name)])).toEqual([expect.objectContaining({ name, unit })])
  })

  it('of prom-client, a histogram with a series for each set of labels: buckets that exclude each other', async () => {
    const own = new Registry()
    const labelNames = ['route']
    const durations = new Histogram({ name: 'd_seconds', help: 'h', labelNames, buckets: [0.1, 1], registers: [own] })
    for (const seconds of [0.1, 0.5, 0.6, 7]) durations.observe({ route: '/' }, seconds)
    durations.observe({ route: '/x' }, 0.05)
    const point = (route: string, count: string, sum: number, bucketCounts: string[]) => ({
      attributes: [text('route', route)],
      startTimeUnixNano,
      timeUnixNano,
      count,
      sum,
      bucketCounts,
      explicitBounds: [0.1, 1],
    })
    expect(written((await own.getMetricsAsJSON()) as unknown as Metric[])).toEqual([
      {
        name: 'd_seconds',
        description: 'h',
        unit: 's',
        histogram: {
          dataPoints: [point('/', '4', 8.2, ['1', '2', '1']), point('/x', '1', 0.05, ['1', '0', '0'])],
          aggregationTemporality: 2,
        },
      },
    ])
  })

  it('of prom-client, counters and gauges', async () => {
    const own = new Registry()
    new Counter({ name: 'c_total', help: 'h', registers: [own] }).inc(2)
    new Gauge({ name: 'g', help: 'h', registers: [own] }).set(-1)
    expect(written((await own.getMetricsAsJSON()) as unknown as Metric[])).toMatchObject([
      { name: 'c_total', sum: { dataPoints: [{ asDouble: 2 }] } },
      { name: 'g', gauge: { dataPoints: [{ asDouble: -1 }] } },
    ])
  })

  it('is written of every kind that the process has', async () => {
    const metrics = (await registry.getMetricsAsJSON()) as unknown as Metric[]
    const names = metrics.filter(({ values }) => values.some(({ value }) => Number.isFinite(value)))
    expect(names.length).toBeGreaterThan(20)
    expect(written(metrics).map((metric) => (metric as Metric).name)).toEqual(names.map(({ name }) => name))
  })
})
