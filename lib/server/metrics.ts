import { sendEmail } from '../modules/emails/tasks.ts'
import { deliverWebhook } from '../modules/events/tasks.ts'
import { accountNamed } from '../modules/provider-accounts/names.ts'
import { newest as newestReconciliations, type Reconciliation } from '../modules/reconciliations/store.ts'
import { advancingClocks, mostCounted } from '../platform/clock/stalled-clocks.ts'
import { db } from '../platform/db/db.ts'
import { dueByQueue } from '../platform/jobs/due-tasks.ts'
import { never } from '../platform/jobs/parked-tasks.ts'
import { type Queue, queues } from '../platform/jobs/tasks.ts'
import { Outage } from '../platform/outage.ts'
import { shared } from '../platform/shared.ts'
import { within } from '../platform/within.ts'
import { type ServiceStates, serviceStates } from '../providers/index.ts'
import type { Metric } from './metric.ts'
import { watchedCheck } from './newest-check.ts'
import { metricsOfAll } from './siblings.ts'

/**
 * Metrics that are read from the database, so every process returns the same values. Throws if the database does not
 * respond.
 */
export const databaseMetrics = shared(5_000, look)

const installationText = shared(5_000, metricsOfAll)

/** Milliseconds to wait for the metrics of the database. Less than the ten seconds that Prometheus waits by default. */
const patienceMs = 5_000

const outage = new Outage('/metrics lacks the metrics of the database, because they could not be read', 'error')

/**
 * Metrics of the database and of all processes as text. While the metrics of the database cannot be read, the text has only the metrics
 * of the processes. Throws if a process does not respond.
 */
export async function metricsText(): Promise<string> {
  const [metrics, text] = await Promise.all([
    within(patienceMs, databaseMetrics()).catch((error) => outage.begins(error)),
    installationText(),
  ])
  if (metrics) outage.ends()
  return (metrics ?? []).map(textOf).join('') + text
}

const gauge = (name: string, help: string, values: number | Metric['values']): Metric => ({
  name,
  help,
  type: 'gauge',
  values: typeof values === 'number' ? [{ value: values }] : values,
})

/**
 * Returns an empty list until the first reconciliation of provider payments with our ledger. Sums the differences of
 * all accounts of a provider, because an account name can contain an id, which metrics must not contain.
 */
function differencesByProvider(all: readonly Reconciliation[]): Metric[] {
  if (all.length === 0) return []
  const counts = new Map<string, number>()
  for (const { provider: name, differences } of all) {
    const provider = accountNamed(name)?.provider ?? name
    counts.set(provider, (counts.get(provider) ?? 0) + differences.length)
  }
  return [
    gauge(
      'billhook_reconciliation_differences',
      "Payments and refunds that differ between a provider's books and ours, as last compared, in all accounts of the provider.",
      [...counts].map(([provider, value]) => ({ labels: { provider }, value })),
    ),
  ]
}

function ofServices({ inngest, ...others }: ServiceStates): Metric[] {
  const isUp = (state: string) => (state === 'ok' ? 1 : 0)
  const values = Object.entries(others).map(([service, state]) => ({ labels: { service }, value: isUp(state) }))
  const upHelp = 'Whether an external service responds, as seen by any process of the installation.'
  return [
    ...(inngest === undefined
      ? []
      : [gauge('billhook_inngest_up', 'Whether the Inngest server runs the tasks that it receives.', isUp(inngest))]),
    ...(values.length === 0 ? [] : [gauge('billhook_service_up', upHelp, values)]),
  ]
}

const counted = `counted up to ${mostCounted}`

const ofTestClocks = (clocks: Awaited<ReturnType<typeof advancingClocks>>): Metric[] => [
  gauge('billhook_test_clocks_moving', 'Test clocks that are being advanced.', clocks.moving),
  gauge('billhook_test_clocks_standing', 'Advancing test clocks without progress for a minute.', clocks.stalled),
  gauge(
    'billhook_test_clock_oldest_move_seconds',
    'Seconds since the start of the oldest unfinished advance.',
    clocks.oldestSeconds,
  ),
  gauge(
    'billhook_test_clock_longest_standstill_seconds',
    'Seconds without progress of the advancing test clock that waits longest.',
    clocks.stalledForSeconds,
  ),
  gauge('billhook_test_clock_tasks_waiting', `Tasks that moving clocks have yet to run, ${counted}.`, clocks.waiting),
]

async function look(): Promise<Metric[]> {
  const due = await dueByQueue()
  const services = await serviceStates()
  const deliveries = await waitingDeliveries()
  const check = await watchedCheck()
  const perQueue = (value: (queue: Queue) => number) =>
    queues.map((queue) => ({ labels: { queue }, value: value(queue) }))
  return [
    gauge(
      'billhook_tasks_due',
      `Tasks that are due and not being run, by queue, ${counted}. Those of moving test clocks are not among them.`,
      perQueue((queue) => due.get(queue)?.count ?? 0),
    ),
    gauge(
      'billhook_task_oldest_lag_seconds',
      'Delay of the oldest due task of a queue, in seconds.',
      perQueue((queue) => due.get(queue)?.lag ?? 0),
    ),
    ...ofServices(services),
    ...differencesByProvider(await newestReconciliations(db())),
    gauge(
      'billhook_webhook_deliveries_waiting',
      `Webhook deliveries that have not been answered with success yet, ${counted}.`,
      deliveries,
    ),
    gauge(
      'billhook_emails_oldest_waiting_seconds',
      'Seconds since the oldest waiting email was due, including retries.',
      await oldestEmail(),
    ),
    gauge(
      'billhook_invariants_broken',
      'Invariants of the stored data that the newest check found broken.',
      check.broken.length,
    ),
    gauge(
      'billhook_invariants_check_age_seconds',
      'Seconds since the newest check of the invariants; before the first one, since the newest migration.',
      check.ageSeconds,
    ),
    ...ofTestClocks(await advancingClocks()),
  ]
}

/**
 * Counts tasks instead of deliveries, because each waiting delivery has exactly one task, and finished deliveries have
 * no task.
 */
async function waitingDeliveries(): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 FROM tasks WHERE name = ${deliverWebhook.name} LIMIT ${mostCounted}::int) AS waiting`
  return row?.count ?? 0
}

/** The age of the oldest unsent email in seconds. The query includes emails that a mail server refused, although their next attempt is in the future. */
async function oldestEmail(): Promise<number> {
  const [row] = await db().$queryRaw<{ seconds: number }[]>`
    SELECT coalesce(greatest(0, round(extract(epoch FROM clock_timestamp() - min(due_at)))), 0)::float8 AS seconds
    FROM (SELECT due_at FROM tasks WHERE name = ${sendEmail.name} AND run_at < ${never}::timestamptz
      LIMIT ${mostCounted}::int) AS waiting`
  return row?.seconds ?? 0
}

const textOf = ({ name, help, type, values }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(({ labels = {}, value }) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
      return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
    }),
    '',
  ].join('\n')
