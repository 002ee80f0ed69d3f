import type { Documents } from './documents.ts'
import type { Comparison, RateComparison, Round } from './figures.ts'
import type { Delays } from './webhooks.ts'
import type { ClockMove } from './year.ts'

export interface Settings {
  readonly connections: number
  readonly pool: number
  readonly warmUpSeconds: number
  readonly roundSeconds: number
  readonly rounds: number
  readonly routes: { readonly roundSeconds: number; readonly rounds: number }
  readonly burst: number
  readonly due: number
  readonly others: number
}

export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly system: string
  readonly node: string
  readonly postgres: string
  /** The load average of the machine over the previous minute. */
  readonly load: number
}

export interface Report {
  readonly date: string
  readonly machine: Machine
  readonly settings: Settings
  readonly routes: readonly (Comparison & { readonly name: string })[]
  readonly baseline: Round
  readonly webhooks: readonly Delays[]
  readonly documents: Documents
  readonly year: ClockMove
  /** `renewalsBeside` is measured while the database also contains many subscriptions that are not due. */
  readonly work: Readonly<Record<'deliveries' | 'renewals' | 'renewalsBeside' | 'yearsRenewals', RateComparison>>
}

/** The lowest accepted value of each figure (the highest for `webhookMs`), on two cores shared by the service, the load generator, and PostgreSQL. */
const targets = {
  routes: {
    'GET customer': 0.35,
    'list orders': 0.08,
    'POST customer, with an idempotency key': 0.08,
    'POST checkout': 0.07,
  } as Readonly<Record<string, number>>,
  webhookMs: { p50: 50, p99: 500 },
  work: { deliveries: 1_000, renewals: 800, renewalsBeside: 800, yearsRenewals: 600 },
  documents: 50,
}

export const routesTable = ({ routes, baseline }: Pick<Report, 'routes' | 'baseline'>): string[] => [
  '| | requests/s | p50 ms | p99 ms | baseline requests/s meanwhile | ratio to the baseline | target | lowest to highest |',
  '|---|--:|--:|--:|--:|--:|--:|--:|',
  ...routes.map(
    (route) =>
      `| ${route.name} | ${rate(route.perSecond)} | ${ms(route.p50)} | ${ms(route.p99)} | ${rate(route.baselinePerSecond)} | ${ratio(route.ratio)} | ${targets.routes[route.name] ?? ''} | ${ratio(route.lowestRatio)} to ${ratio(route.highestRatio)} |`,
  ),
  `| baseline: \`node:http\` + \`pg\`, one row | ${rate(baseline.perSecond)} | ${ms(baseline.p50)} | ${ms(baseline.p99)} | | 1 | | |`,
]

export function tables({ routes, baseline, webhooks, documents, work, year, settings }: Report): string {
  const row = (name: string, of: keyof Report['work']) => {
    const { perSecond, commitsPerSecond, ratio: middle, lowestRatio, highestRatio } = work[of]
    return `| ${name} | ${rate(perSecond)} | ${rate(targets.work[of])} | ${rate(commitsPerSecond)} | ${ratio(middle)} | ${ratio(lowestRatio)} to ${ratio(highestRatio)} |`
  }
  return [
    ...routesTable({ routes, baseline }),
    '',
    '| from commit to first webhook attempt | p50 ms | target | p99 ms | target | events |',
    '|---|--:|--:|--:|--:|--:|',
    ...webhooks.map(
      ({ name, p50, p99, events }) =>
        `| ${name} | ${ms(p50)} | ${targets.webhookMs.p50} | ${ms(p99)} | ${targets.webhookMs.p99} | ${events} |`,
    ),
    '',
    '| work of one process | per second | target | commits/s meanwhile | ratio to the commits | lowest to highest |',
    '|---|--:|--:|--:|--:|--:|',
    row(`${count(settings.burst)} webhooks to one endpoint that responds at once`, 'deliveries'),
    row(`${count(settings.due)} renewals, each with its order, charge, and invoice number`, 'renewals'),
    row(
      `${count(settings.due)} renewals with ${count(settings.others)} subscriptions that are not due`,
      'renewalsBeside',
    ),
    row(
      `a test clock that advances by a year over ${count(year.subscriptions)} monthly subscriptions: ${count(year.renewals)} renewals in ${year.seconds.toFixed(1)} s`,
      'yearsRenewals',
    ),
    '',
    `With ${count(settings.others)} subscriptions that are not due, a renewal takes ${(work.renewals.ratio / work.renewalsBeside.ratio).toFixed(2)} times as long as without these subscriptions.`,
    '',
    '| GET customer, four callers | requests/s | p50 ms | p99 ms | longest ms |',
    '|---|--:|--:|--:|--:|',
    `| alone | ${rate(documents.alone.perSecond)} | ${ms(documents.alone.p50)} | ${ms(documents.alone.p99)} | ${ms(documents.alone.longest)} |`,
    `| during ${documents.count} invoices as PDF, requested at once and drawn in ${documents.seconds.toFixed(1)} s | ${rate(documents.beside.perSecond)} | ${ms(documents.beside.p50)} | ${ms(documents.beside.p99)} | ${ms(documents.beside.longest)} |`,
    '',
    '| invoices as PDF, requested at once | drawn per second | target |',
    '|---|--:|--:|',
    `| ${documents.count} without reads | ${rate(documents.count / documents.secondsAlone)} | ${targets.documents} |`,
    `| ${documents.count} during the reads | ${rate(documents.count / documents.seconds)} | |`,
  ].join('\n')
}

export function markdown(report: Report): string {
  const { date, machine, settings } = report
  return `# Benchmarks

\`npm run bench\` writes the part of this page above "Versions". A ratio compares a figure with the baseline of the same run. To compare two runs, use the ratios,
because the other figures depend on the machine.

${tables(report)}

- **When and where**: ${date}; ${machine.cores} cores (${machine.processor}), ${machine.system}, Node.js ${machine.node},
  PostgreSQL ${machine.postgres} (embedded, durable). Before the run, the load average was ${machine.load.toFixed(1)}. A value over ${machine.cores} means that other
  programs used part of the cores.
- **Processes**: the service (started by \`npm start\`), PostgreSQL, and the load generator (autocannon) are separate processes on the
  same cores. The load generator uses ${settings.connections} open connections. The service has ${settings.pool} database connections, its default, and no rate limit.
- **Method**: each route is warmed up for ${settings.warmUpSeconds} s and then measured for ${settings.routes.roundSeconds} s, ${settings.routes.rounds} times. After each round, the
  baseline is measured for the same time, so that a change in the speed of the machine affects both rates. Figures are medians of
  the rounds. A ratio is the rate of the route divided by the rate of the baseline in the same round. If a response has an unexpected
  status or a connection fails, the run fails.
- **Baseline**: \`node:http\` with \`pg\`, which runs \`SELECT * FROM customers WHERE id = $1\` in the same database.
- **Routes**: the routes read one of a hundred customers by id, list the newest ten orders with their lines, create a customer with a new
  email address, and create a checkout with a plan and a product.
- **Webhooks**: products are archived one after the other. The delay of a webhook begins at the commit time that PostgreSQL recorded
  (\`track_commit_timestamp\` is on). The delay ends when the request arrives at a receiver in a separate process. For the row
  "under load", ${settings.connections} connections read customers at the same time.
- **Work of one process** is measured ${settings.rounds} times. After each round, \`pg\` commits single rows for ${settings.roundSeconds} s over the same number of
  connections, without waiting for the disk. Figures are medians. A ratio is the rate of the work divided by the rate of the
  commits in the same round.
- **Webhooks to one endpoint**: all deliveries, which contain copies of one event, are due at the same time. The time ends when
  the last delivery is recorded as delivered.
- **Invoices**: each request is for a different invoice, so no invoice comes from a cache. If too many requests are waiting and the service
  refuses a request, the client repeats the request after the time in \`Retry-After\`.
- **Renewals**: the renewals of copies of one paid subscription are due at the same time. The time ends when the last order is
  paid and has an invoice number.
- **Test clock**: a separate storefront has subscriptions that were sold one per second and renew every month. The time
  begins with the request that advances the clock, and ends when the clock reaches its target.
`
}

const count = (value: number): string => value.toLocaleString('en')
const rate = (value: number): string => Math.round(value).toLocaleString('en')
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1)
const ratio = (value: number): string => value.toFixed(3)
