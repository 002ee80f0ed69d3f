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
  /** The load average over the previous minute: programs that ran or waited to run. */
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
  /** Webhooks, renewals without and with other subscriptions in the database, and renewals by a test clock. */
  readonly work: Readonly<Record<'deliveries' | 'renewals' | 'renewalsBeside' | 'yearsRenewals', RateComparison>>
}

/** The lowest accepted value of each figure, on two cores that the load and PostgreSQL also use. */
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

/** The rows of the routes, each as a ratio to the baseline that ran in turn with it. */
export const routesTable = ({ routes, baseline }: Pick<Report, 'routes' | 'baseline'>): string[] => [
  '| | requests/s | p50 ms | p99 ms | baseline requests/s meanwhile | ratio to the baseline | target | lowest to highest |',
  '|---|--:|--:|--:|--:|--:|--:|--:|',
  ...routes.map(
    (route) =>
      `| ${route.name} | ${rate(route.perSecond)} | ${ms(route.p50)} | ${ms(route.p99)} | ${rate(route.baselinePerSecond)} | ${ratio(route.ratio)} | ${targets.routes[route.name] ?? ''} | ${ratio(route.lowestRatio)} to ${ratio(route.highestRatio)} |`,
  ),
  `| baseline: \`node:http\` + \`pg\`, one row | ${rate(baseline.perSecond)} | ${ms(baseline.p50)} | ${ms(baseline.p99)} | | 1 | | |`,
]

/** The report as the tables of `docs/benchmarks.md`. */
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
    '| work of one process | a second | target | commits/s meanwhile | ratio to the commits | lowest to highest |',
    '|---|--:|--:|--:|--:|--:|',
    row(`${count(settings.burst)} webhooks to one endpoint that answers at once`, 'deliveries'),
    row(`${count(settings.due)} renewals, each with its order, charge and invoice number`, 'renewals'),
    row(
      `${count(settings.due)} renewals beside ${count(settings.others)} subscriptions that are not due`,
      'renewalsBeside',
    ),
    row(
      `a test clock moved by a year over ${count(year.subscriptions)} monthly subscriptions: ${count(year.renewals)} renewals in ${year.seconds.toFixed(1)} s`,
      'yearsRenewals',
    ),
    '',
    `Beside the others a renewal takes ${(work.renewals.ratio / work.renewalsBeside.ratio).toFixed(2)} times as long.`,
    '',
    '| GET customer, four callers | requests/s | p50 ms | p99 ms | longest ms |',
    '|---|--:|--:|--:|--:|',
    `| alone | ${rate(documents.alone.perSecond)} | ${ms(documents.alone.p50)} | ${ms(documents.alone.p99)} | ${ms(documents.alone.longest)} |`,
    `| beside ${documents.count} invoices that are asked for at once as PDF, drawn in ${documents.seconds.toFixed(1)} s | ${rate(documents.beside.perSecond)} | ${ms(documents.beside.p50)} | ${ms(documents.beside.p99)} | ${ms(documents.beside.longest)} |`,
    '',
    '| invoices as PDF, asked for at once | drawn a second | target |',
    '|---|--:|--:|',
    `| ${documents.count} and nothing else | ${rate(documents.count / documents.secondsAlone)} | ${targets.documents} |`,
    `| ${documents.count} beside the reads | ${rate(documents.count / documents.seconds)} | |`,
  ].join('\n')
}

export function markdown(report: Report): string {
  const { date, machine, settings } = report
  return `# Benchmarks

Written by \`npm run bench\`. Absolute figures are this machine's; the ratios are what to compare.

${tables(report)}

- **When and where**: ${date}; ${machine.cores} cores (${machine.processor}), ${machine.system}, Node.js ${machine.node},
  PostgreSQL ${machine.postgres} (embedded, durable). Load average just before: ${machine.load.toFixed(1)}; over ${machine.cores} means that other
  programs took part of the cores.
- **What runs**: the service as \`npm start\` starts it, PostgreSQL, and the load (autocannon) are processes of their own on
  the same cores. ${settings.connections} connections, kept alive; ${settings.pool} database connections, the service's default; no rate limit.
- **How**: each route is warmed up for ${settings.warmUpSeconds} s, then measured for ${settings.routes.roundSeconds} s, ${settings.routes.rounds} times, and after each time the
  baseline for as long, so that drift meets both. Figures are medians of the rounds; a ratio is that of the two rates of one
  round. One answer of another status, or one failed connection, fails the run.
- **The baseline** is \`node:http\` with \`pg\`: \`SELECT * FROM customers WHERE id = $1\`, in the same database.
- **Routes**: one of a hundred customers by id; the newest ten orders with their lines; a customer with a new
  e-mail address each time; a checkout of a plan and a product.
- **Webhooks**: a product is archived, one after the other; from the commit time that PostgreSQL recorded to the arrival of
  the request at a receiver in a process of its own (\`track_commit_timestamp\` is on). Under load: while ${settings.connections} connections read customers.
- **Work** is measured ${settings.rounds} times, and after each time for ${settings.roundSeconds} s how many rows are committed one by one by \`pg\` over as many
  connections, without waiting for the disk. Figures are medians; a ratio is that of the two rates of one time.
- **Webhooks to one endpoint**: copies of one event fall due at once; the time is until the last one is recorded as delivered.
- **Invoices**: each is another one, so that none is cached; a client that is asked to wait repeats its request after \`Retry-After\`.
- **Renewals**: subscriptions copied from one that a buyer paid for fall due at once; the time is until the last
  order is paid and numbered.
- **A moved clock**: subscriptions sold one a second, in a storefront of its own, each renewed every month; the time is from the call that
  moves the clock to its arrival.
`
}

const count = (value: number): string => value.toLocaleString('en')
const rate = (value: number): string => Math.round(value).toLocaleString('en')
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1)
const ratio = (value: number): string => value.toFixed(3)
