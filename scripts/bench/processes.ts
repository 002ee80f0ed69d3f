import { type Bench, withService } from './context.ts'
import { type Installation, type Service, startAnother } from './installation.ts'
import { canLimit, cpuOf, limit } from './limited.ts'
import { renewalsPerSecond } from './renewals.ts'
import { routesOf } from './routes.ts'

const counts = [1, 2, 4] as const
/** The part of a core that each limited process gets. The part is small, so that PostgreSQL and the load generator have enough processor time. */
const share = 0.1

export interface Scaled {
  readonly name: string
  /** Requests or renewals per second, while the processes share all cores with PostgreSQL and the load generator. */
  readonly together: readonly number[]
  /** Processor milliseconds per request or renewal, without the time of PostgreSQL. */
  readonly cpuMs: readonly number[]
  /** Requests or renewals per second, while each process is limited to a tenth of a core; null if limits are not available. */
  readonly apart: readonly number[] | null
}

/** @param first the first number of the copied subscriptions */
export async function measureProcesses(
  bench: Bench,
  { seconds, due, first }: { seconds: number; due: number; first: number },
): Promise<Scaled[]> {
  const { installation, loader, connections, say } = bench
  // The service of the installation would also run renewals, so this service is stopped.
  await installation.service.stop()
  const results = new Map<string, { together: number[]; cpuMs: number[]; apart: number[] }>()
  const note = (name: string, of: 'together' | 'cpuMs' | 'apart', value: number) => {
    const known = results.get(name) ?? { together: [], cpuMs: [], apart: [] }
    known[of].push(value)
    results.set(name, known)
  }
  let next = first
  for (const count of counts) {
    for (const isApart of canLimit() ? [false, true] : [false]) {
      say(`Measuring ${count} ${isApart ? 'on a tenth of a core each' : 'on all cores'}`)
      const of = isApart ? 'apart' : 'together'
      const web = await startWeb(bench, count)
      for (const [name, route] of Object.entries(routesOf(bench))) {
        // A limited process runs only in a part of each period, so the load generator needs more connections.
        const load = {
          ...route,
          origin: web.baseUrl,
          connections: isApart ? 4 * connections : connections,
          timeoutSeconds: 60,
        }
        await loader.ask({ ...load, seconds: seconds / 2 })
        const unlimit = isApart ? limit(web.pid, share) : null
        const before = cpuOf(web.pid)
        const { perSecond } = await loader.ask({ ...load, seconds })
        if (!isApart) note(name, 'cpuMs', ((cpuOf(web.pid) - before) * 1000) / (perSecond * seconds))
        note(name, of, perSecond)
        unlimit?.()
      }
      const workers = await startWorkers(bench, count)
      const unlimited = isApart ? workers.map(({ pid }) => limit(pid, share)) : []
      const cpu = () => workers.reduce((all, { pid }) => all + cpuOf(pid), 0)
      const before = cpu()
      note('renewals', of, await renewalsPerSecond(withService(bench, web), { first: next, due }))
      if (!isApart) note('renewals', 'cpuMs', ((cpu() - before) * 1000) / due)
      next += due
      for (const each of [...workers, web]) await each.stop()
      for (const unlimit of unlimited) unlimit()
    }
  }
  return [...results].map(([name, { apart, ...others }]) => ({
    name,
    ...others,
    apart: apart.length > 0 ? apart : null,
  }))
}

const startWeb = ({ keep, installation, environment }: Bench, count: number) =>
  startAnother(keep, installation, { ...environment, WEB_PROCESSES: String(count) }, [], 'web')

function startWorkers({ keep, installation, environment }: Bench, count: number): Promise<Service[]> {
  const start = (place: Installation) => startAnother(keep, place, environment, [], 'worker')
  return Promise.all(Array.from({ length: count }, () => start(installation)))
}

export function processesTable(scaled: readonly Scaled[]): string {
  const by = (figure: string) => counts.map((count) => `${figure} by ${count}`)
  const apart = scaled.flatMap(({ name, apart }) => (apart ? [{ name, rates: apart }] : []))
  return [
    ...rows(['on all cores', ...by('per second'), ...by('CPU ms')], scaled, ({ name, together, cpuMs }) => [
      name,
      ...together.map(rate),
      ...cpuMs.map((each) => each.toFixed(2)),
    ]),
    '',
    ...rows(
      [`on ${share} cores each`, ...by('per second'), 'efficiency of 2', 'efficiency of 4'],
      apart,
      ({ name, rates: [one = Number.NaN, two = Number.NaN, four = Number.NaN] }) => [
        name,
        ...[one, two, four].map(rate),
        ...[two / one / 2, four / one / 4].map((each) => each.toFixed(2)),
      ],
    ),
  ].join('\n')
}

const rate = (value: number): string => Math.round(value).toLocaleString('en')
const rows = <Each>(
  head: readonly string[],
  each: readonly Each[],
  cells: (one: Each) => readonly string[],
): string[] => [
  `| ${head.join(' | ')} |`,
  `|---|${'--:|'.repeat(head.length - 1)}`,
  ...each.map((one) => `| ${cells(one).join(' | ')} |`),
]

export const processesNotes = `- **By 1, 2, and 4**: the number of processes of the service.
- **All cores**: the processes, PostgreSQL, and the load generator share two cores, so a further process cannot increase the rate
  much. The processor time per request shows the cost of a further process.
- **${share} cores each** (Linux control groups, only for the processes of the service): the limit leaves so much of the cores for
  PostgreSQL and the load generator that each process runs as if it had its own machine. The efficiency of n processes is their rate, divided by n times the rate of one process. The
  figure is imprecise and can exceed 1, because a process with a tenth of a core often finds its caches cold.
- **Requests** go to web processes that share one port (\`WEB_PROCESSES\`). Renewals run in the same number of workers.
`
