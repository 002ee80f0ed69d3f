import type { Bench } from './context.ts'
import { median, type Round } from './figures.ts'
import { startAnother } from './installation.ts'
import type { Load } from './load.ts'
import { program } from './program.ts'

/**
 * This file measures the cost of telemetry. Two services on one database alternately get the same reads, and one of the
 * services sends telemetry to a collector.
 */

export interface TracingCost {
  readonly name: string
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor microseconds per request. This number hardly depends on other load on the machine. */
  readonly cpu: number
  /** The median ratio of all rounds. A ratio is the rate of this service divided by the rate of the service that sends no telemetry. */
  readonly ratio: number
  readonly lowest: number
  readonly highest: number
}

export async function measureTracing(
  { installation, environment, loader, keep, say }: Bench,
  reads: Omit<Load, 'origin'>,
  rounds: number,
): Promise<{ readonly costs: readonly TracingCost[]; readonly traceBytes: number }> {
  const collector = keep(program<'listen' | 'traceBytes', number>('collector.ts'))
  const port = await collector.ask('listen')
  const all = { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
  const traced = { ...all, OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
  const variants = {
    'traces of every request': traced,
    'traces of one request in ten': {
      ...traced,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
    // Metrics are exported every second instead of every minute, so that each round has several exports.
    'metrics each second, and the log': { ...all, OTEL_TRACES_EXPORTER: 'none', OTEL_METRIC_EXPORT_INTERVAL: '1000' },
    'all three': { ...all, OTEL_METRIC_EXPORT_INTERVAL: '1000' },
  }
  const ask = async (origin: string): Promise<Measured> => {
    const before = await cpuSeconds(origin)
    const round = await loader.ask({ ...reads, origin })
    const requests = round.perSecond * reads.seconds
    return { ...round, cpu: ((await cpuSeconds(origin)) - before) * (1e6 / requests) }
  }
  // On a busy machine, the first start can fail because the database is too slow, so a failed start is repeated one time.
  const start = (variant: typeof environment) =>
    startAnother(keep, installation, variant).catch(() => startAnother(keep, installation, variant))
  const costs: TracingCost[] = []
  for (const [name, variant] of Object.entries(variants)) {
    say(`Starting a service that sends ${name}, and one that sends nothing`)
    // A service becomes slower with the number of requests that it has handled, so each comparison starts both services
    // again.
    const [plain, another] = [await start(environment), await start(variant)]
    for (const { baseUrl } of [plain, another]) await ask(baseUrl)
    const [without, beside]: [Measured[], Measured[]] = [[], []]
    while (beside.length < rounds) {
      say(`Measuring, round ${beside.length + 1} of ${rounds}`)
      const first = beside.length % 2 === 0
      if (first) without.push(await ask(plain.baseUrl))
      beside.push(await ask(another.baseUrl))
      if (!first) without.push(await ask(plain.baseUrl))
    }
    for (const service of [plain, another]) await service.stop()
    const ratios = beside.map(({ perSecond }, n) => perSecond / (without[n]?.perSecond ?? Number.NaN))
    const of = (rounds: readonly Measured[], figure: keyof Measured) => median(rounds.map((round) => round[figure]))
    const row = (name: string, rounds: readonly Measured[]) => ({
      cpu: of(rounds, 'cpu'),
      name,
      perSecond: of(rounds, 'perSecond'),
      p50: of(rounds, 'p50'),
      p99: of(rounds, 'p99'),
    })
    costs.push({ ...row('nothing', without), ratio: 1, lowest: 1, highest: 1 })
    costs.push({
      ...row(name, beside),
      ratio: median(ratios),
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
    })
    say(`${name}: ${median(ratios).toFixed(3)} of the rate without`)
  }
  return { costs, traceBytes: await collector.ask('traceBytes') }
}

type Measured = Round & { readonly cpu: number }

export async function cpuSeconds(origin: string): Promise<number> {
  const figures = await (await fetch(`${origin}/metrics`)).text()
  const [, seconds] = /^process_cpu_seconds_total (\S+)/m.exec(figures) ?? []
  if (seconds === undefined) throw new Error('/metrics has no process_cpu_seconds_total')
  return Number(seconds)
}

export const tracingTable = ({ costs, traceBytes }: Awaited<ReturnType<typeof measureTracing>>): string =>
  [
    '| Sent, with GET customer on 16 connections | CPU µs of the service per request | requests/s | p50 ms | p99 ms | rate ÷ rate without | lowest to highest |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...costs.map(
      ({ name, cpu, perSecond, p50, p99, ratio, lowest, highest }) =>
        `| ${name} | ${Math.round(cpu)} | ${Math.round(perSecond)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${ratio.toFixed(3)} | ${lowest.toFixed(3)} to ${highest.toFixed(3)} |`,
    ),
    '',
    `The collector received ${(traceBytes / 1e6).toFixed(1)} MB of traces, on the same cores.`,
  ].join('\n')
