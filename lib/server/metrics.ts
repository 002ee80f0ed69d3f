import { deliverWebhook } from '../modules/events/tasks.ts'
import { newest as newestReconciliations, type Reconciliation } from '../modules/reconciliations/store.ts'
import { advancingClocks, mostCounted } from '../platform/clock/stalled-clocks.ts'
import { db } from '../platform/db/db.ts'
import { dueByQueue } from '../platform/jobs/due-tasks.ts'
import { type Queue, queues } from '../platform/jobs/tasks.ts'
import { shared } from '../platform/shared.ts'
import { metricsOfAll, taskServerOfAll } from './siblings.ts'

/** The metrics for operators, in the text format of Prometheus. They contain nothing about any person or storefront. */

interface Metric {
  /** With the unit last, as Prometheus requires. */
  readonly name: string
  readonly help: string
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[]
}

/** Waiting tasks and clock advances, and the requests of this installation. Throws if the database does not answer. */
export const metricsText = shared(5_000, async () => (await look()).map(textOf).join('') + (await metricsOfAll()))

/** Absent until a provider's books were compared. */
const differencesByProvider = (all: readonly Reconciliation[]): Metric[] =>
  all.length === 0
    ? []
    : [
        {
          name: 'billhook_reconciliation_differences',
          help: "Payments and refunds that differ between a provider's books and ours, as last compared.",
          values: all.map(({ provider, differences }) => ({ labels: { provider }, value: differences.length })),
        },
      ]

async function look(): Promise<Metric[]> {
  const due = await dueByQueue()
  const server = taskServerOfAll()
  const clocks = await advancingClocks()
  const deliveries = await waitingDeliveries()
  const perQueue = (value: (queue: Queue) => number) =>
    queues.map((queue) => ({ labels: { queue }, value: value(queue) }))
  const counted = `counted up to ${mostCounted}`
  return [
    {
      name: 'billhook_tasks_due',
      help: `Tasks that are due and not being run, by queue, ${counted}. Those of moving test clocks are not among them.`,
      values: perQueue((queue) => due.get(queue)?.count ?? 0),
    },
    {
      name: 'billhook_task_oldest_lag_seconds',
      help: 'Seconds by which the oldest due task of a queue is late.',
      values: perQueue((queue) => due.get(queue)?.lag ?? 0),
    },
    ...(server === null
      ? []
      : [
          {
            name: 'billhook_inngest_up',
            help: 'Whether the Inngest server runs what is handed to it.',
            values: [{ value: server === 'ok' ? 1 : 0 }],
          },
        ]),
    ...differencesByProvider(await newestReconciliations(db())),
    {
      name: 'billhook_webhook_deliveries_waiting',
      help: `Webhook deliveries that have not been answered with success yet, ${counted}.`,
      values: [{ value: deliveries }],
    },
    {
      name: 'billhook_test_clocks_moving',
      help: 'Clocks of test mode that are being moved.',
      values: [{ value: clocks.moving }],
    },
    {
      name: 'billhook_test_clocks_standing',
      help: 'Moving clocks of test mode that have made no progress for a minute.',
      values: [{ value: clocks.stalled }],
    },
    {
      name: 'billhook_test_clock_oldest_move_seconds',
      help: 'Seconds since the oldest move that has not arrived began.',
      values: [{ value: clocks.oldestSeconds }],
    },
    {
      name: 'billhook_test_clock_longest_standstill_seconds',
      help: 'Seconds since the moving clock that waits longest made progress.',
      values: [{ value: clocks.stalledForSeconds }],
    },
    {
      name: 'billhook_test_clock_tasks_waiting',
      help: `Tasks that moving clocks have yet to run, ${counted}.`,
      values: [{ value: clocks.waiting }],
    },
  ]
}

/** Each waiting delivery has one task. */
async function waitingDeliveries(): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 FROM tasks WHERE name = ${deliverWebhook.name} LIMIT ${mostCounted}::int) AS waiting`
  return row?.count ?? 0
}

const textOf = ({ name, help, values }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...values.map(({ labels = {}, value }) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
      return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
    }),
    '',
  ].join('\n')
