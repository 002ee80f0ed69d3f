import { type Bench, withService } from './context.ts'
import { type Installation, type Service, startAnother } from './installation.ts'
import { canLimit, cpuOf, limit } from './limited.ts'
import { renewalsPerSecond } from './renewals.ts'
import { routesOf } from './routes.ts'

/** Measures the gain of two and four processes on one database. */

const counts = [1, 2, 4] as const
/** Small enough that all processes together leave time for PostgreSQL and the load. */
const share = 0.1

export interface Scaled {
  readonly name: string
  /** Per second, with one, two, and four processes that share the cores with PostgreSQL and the load. */
  readonly together: readonly number[]
  /** Processor milliseconds of all processes for one item, without PostgreSQL. */
  readonly cpuMs: readonly number[]
  /** Per second, with each process limited to a tenth of a core, like separate machines. Null without such limits. */
  readonly apart: readonly number[] | null
}

/** @param first the first number of the subscriptions */
export async function measureProcesses(
  bench: Bench,
  { seconds, due, first }: { seconds: number; due: number; first: number },
): Promise<Scaled[]> {
  const { installation, loader, connections, say } = bench
  // The installation's own worker would also run renewals.
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
        // A limited process works only in a part of each period, so the load needs more connections.
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
    ...rows(['on all cores', ...by('a second'), ...by('CPU ms')], scaled, ({ name, together, cpuMs }) => [
      name,
      ...together.map(rate),
      ...cpuMs.map((each) => each.toFixed(2)),
    ]),
    '',
    ...rows(
      [`on ${share} cores each`, ...by('a second'), 'efficiency of two', 'of four'],
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

export const processesNotes = `- **On all cores** the processes share two cores with each other, PostgreSQL and the load: there a further process cannot bring much, and the
  processor time for a request says what it costs to have it.
- **On ${share} cores each** (control groups of Linux, for the processes of the service alone), they are like machines of their own
  beside one database that has enough: the efficiency of n processes is their rate, divided by n times that of one. It is rough, and can
  be over 1: a process that stands still for nine tenths of the time finds its caches cold each time it continues.
- **Requests** are answered by web processes behind one port, \`WEB_PROCESSES\`; renewals are run by as many workers.
`
