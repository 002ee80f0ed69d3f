import { money } from '@/components/format.ts'
import { linkButton } from '@/components/ui/button.ts'
import type { Currency } from '@/lib/kernel/money.ts'
import type { BacklogRow, WorkPage } from '@/lib/modules/invariants/page.ts'
import { DataTable, Export } from './data-table.tsx'
import { JobName } from './job-name.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Heading, Section } from './page-parts.tsx'
import { providerName } from './provider-name.ts'
import { type AdminKey, adminLocale, adminText as t } from './text.ts'

export function Work({ page }: { page: WorkPage }) {
  const { queues, services, failing, deliveries, emails, mostCounted, check, reconciliations } = page
  return (
    <>
      <Heading>{t('work.heading')}</Heading>
      <DataTable
        columns={[
          { label: 'work.queue', cell: ({ name }) => t(`work.queues.${name}`) },
          { label: 'work.due', isAmount: true, cell: ({ due }) => due },
          { label: 'work.late', isAmount: true, cell: ({ lateSeconds }) => `${lateSeconds} s` },
        ]}
        empty="work.noQueues"
        keyOf={({ name }) => name}
        label={t('work.heading')}
        rows={queues}
      />
      {services.length > 0 && (
        <Section id="services" label="work.services.heading">
          <DataTable
            columns={[
              { label: 'work.services.name', cell: ({ name }) => t(`work.services.${name}`) },
              { label: 'work.services.state', cell: ({ trouble }) => <ServiceState trouble={trouble} /> },
            ]}
            empty="work.services.none"
            keyOf={({ name }) => name}
            label={t('work.services.heading')}
            rows={services}
          />
        </Section>
      )}
      <Section id="failing" label="work.failing">
        <DataTable
          columns={[
            { label: 'work.task', cell: ({ name }) => <JobName id={name} /> },
            {
              label: 'work.of',
              cell: ({ storefrontUrl, storefront }) =>
                storefrontUrl && (
                  <a href={storefrontUrl}>
                    <Name>{storefront ?? t('storefronts.name')}</Name>
                  </a>
                ),
            },
            { label: 'deliveries.attempts', isAmount: true, cell: ({ attempts }) => attempts },
            { label: 'work.error', cell: ({ lastError }) => lastError },
            { label: 'deliveries.next', cell: ({ runAt }) => <Moment at={runAt} /> },
          ]}
          empty="work.nothing"
          keyOf={({ id }) => id}
          label={t('work.failing')}
          rows={failing}
        />
        {failing.length > 0 && <Export exportUrl="/admin/export/work" />}
      </Section>
      <Section id="deliveries" label="storefront.nav.deliveries">
        <Backlog label="storefront.nav.deliveries" most={mostCounted} rows={deliveries} waiting="pending" />
      </Section>
      <Section id="emails" label="storefront.nav.emails">
        <Backlog label="storefront.nav.emails" most={mostCounted} rows={emails} waiting="queued" />
      </Section>
      <Section id="invariants" label="work.invariants">
        <p className="mt-2">
          {check === null ? (
            t('work.unchecked')
          ) : (
            <>
              {t(check.broken.length === 0 ? 'work.hold' : 'work.broken', { count: check.broken.length })}{' '}
              <Moment at={check.finishedAt} />
            </>
          )}{' '}
          <a href="/admin/invariants">{t('work.allInvariants')}</a>
        </p>
      </Section>
      <Reconciliations reconciliations={reconciliations} />
    </>
  )
}

interface BacklogProps {
  label: AdminKey
  rows: readonly BacklogRow[]
  most: number
  waiting: 'pending' | 'queued'
}

const Backlog = ({ label, rows, most, waiting }: BacklogProps) => {
  const figure = (count: number) => (count <= most ? count : t('work.orMore', { count: most }))
  const failed = waiting === 'pending' ? 'failed' : 'refused'
  const link = (row: BacklogRow, status: 'pending' | 'queued' | 'failed' | 'refused' | 'unreadable', count: number) => (
    <a
      aria-label={`${figure(count)} ${t(`statuses.${status}`)}, ${row.storefront}`}
      href={`${row.url}?status=${status}`}
    >
      {figure(count)}
    </a>
  )
  return (
    <DataTable
      columns={[
        { label: 'storefronts.name', cell: (row) => <Name>{row.storefront}</Name> },
        { label: 'chargebacks.mode', cell: ({ mode }) => t(`storefront.modes.${mode}`) },
        { label: 'work.waiting', isAmount: true, cell: (row) => link(row, waiting, row.waiting) },
        { label: 'work.oldest', cell: ({ oldestAt }) => oldestAt && <Moment at={oldestAt} /> },
        { label: 'work.failed', isAmount: true, cell: (row) => link(row, failed, row.failed) },
        ...(rows.some(({ unreadable }) => unreadable > 0)
          ? [
              {
                label: 'statuses.unreadable' as const,
                isAmount: true as const,
                cell: (row: BacklogRow) => link(row, 'unreadable', row.unreadable),
              },
            ]
          : []),
      ]}
      empty="work.noBacklog"
      keyOf={({ url }) => url}
      label={t(label)}
      rows={rows}
    />
  )
}

function ServiceState({ trouble }: Pick<WorkPage['services'][number], 'trouble'>) {
  if (trouble === null) return t('work.services.ok')
  const { problem, since, account } = trouble
  return (
    <>
      {t('work.services.since', { problem: account === null ? problem : `${problem} (${account})` })}{' '}
      <Moment at={since} />
    </>
  )
}

const moneyOf = (value: string, { currency }: { currency: string }) =>
  money({ value, currency: currency as Currency }, adminLocale())

const states: Readonly<Record<string, AdminKey>> = {
  paid: 'work.reconciliations.states.paid',
  'not paid': 'work.reconciliations.states.not_paid',
  returned: 'work.reconciliations.states.returned',
  failed: 'work.reconciliations.states.failed',
  sent: 'work.reconciliations.states.sent',
  unsent: 'work.reconciliations.states.unsent',
  refunded: 'work.reconciliations.states.refunded',
  taken: 'work.reconciliations.states.taken',
  'came back': 'work.reconciliations.states.came_back',
  open: 'work.reconciliations.states.open',
  won: 'work.reconciliations.states.won',
  lost: 'work.reconciliations.states.lost',
  free: 'work.reconciliations.states.free',
}

/** Translates a booking such as `10.00 EUR, not paid` to the reader's language. A payment provider's state without a translation stays unchanged. */
export function booked(text: string): string {
  const [, value, currency, state] = /^(-?\d+\.\d+) ([A-Z]{3})(?:, (.*))?$/.exec(text) ?? []
  if (value === undefined || currency === undefined) return text
  const amount = moneyOf(value, { currency })
  if (state === undefined) return amount
  const known = Object.hasOwn(states, state) ? states[state] : undefined
  return `${amount}, ${known ? t(known) : state}`
}

type Reconciled = WorkPage['reconciliations'][number]

/** The payouts from a provider, collapsed because they need no action. */
const Settlements = ({ provider, settlements }: { provider: string; settlements: Reconciled['paidOut'] }) => (
  <details>
    <summary className={linkButton}>{t('work.reconciliations.paidOut.heading')}</summary>
    <DataTable
      columns={[
        { label: 'work.reconciliations.paidOut.ref', cell: ({ ref }) => ref },
        { label: 'work.reconciliations.paidOut.reference', cell: ({ reference }) => reference },
        {
          label: 'work.reconciliations.paidOut.status',
          onPhone: 'corner',
          cell: ({ status }) => t(`work.reconciliations.paidOut.statuses.${status}`),
        },
        { label: 'work.reconciliations.paidOut.at', cell: ({ settledAt }) => settledAt && <Moment at={settledAt} /> },
        { label: 'work.reconciliations.paidOut.revenue', isAmount: true, cell: (row) => moneyOf(row.revenue, row) },
        { label: 'work.reconciliations.paidOut.costs', isAmount: true, cell: (row) => moneyOf(row.costs, row) },
        {
          label: 'work.reconciliations.paidOut.amount',
          isAmount: true,
          cell: (row) => moneyOf(row.amount, row),
        },
      ]}
      empty="work.reconciliations.paidOut.none"
      keyOf={({ ref }) => ref}
      label={`${t('work.reconciliations.paidOut.heading')}: ${providerName(provider)}`}
      rows={settlements}
    />
  </details>
)

/** The differences between the providers' records and ours. A person must resolve each difference. */
function Reconciliations({ reconciliations }: Pick<WorkPage, 'reconciliations'>) {
  return (
    <Section id="reconciliations" label="work.reconciliations.heading">
      {reconciliations.length === 0 && <p className="mt-2 text-soft">{t('work.reconciliations.none')}</p>}
      {reconciliations.map(
        ({ provider, finishedAt, payments, refunds, chargebacks, settlements, differences, paidOut }) => (
          <div key={provider}>
            <p className="mt-2">
              {t('work.reconciliations.compared', {
                provider: providerName(provider),
                payments,
                refunds,
                chargebacks,
                settlements,
                count: differences.length,
              })}{' '}
              <Moment at={finishedAt} />
            </p>
            {differences.length > 0 && (
              <DataTable
                columns={[
                  {
                    label: 'work.reconciliations.difference',
                    cell: ({ kind }) => t(`work.reconciliations.kinds.${kind}`),
                  },
                  { label: 'work.reconciliations.ref', cell: ({ ref }) => ref },
                  {
                    label: 'work.reconciliations.atProvider',
                    cell: ({ atProvider }) => atProvider && booked(atProvider),
                  },
                  { label: 'work.reconciliations.id', cell: ({ id }) => id },
                  { label: 'work.reconciliations.ours', cell: ({ ours }) => ours && booked(ours) },
                ]}
                empty="work.reconciliations.noDifferences"
                keyOf={({ kind, ref, id }) => `${kind} ${ref} ${id}`}
                label={providerName(provider)}
                rows={differences}
              />
            )}
            {paidOut.length > 0 && <Settlements provider={provider} settlements={paidOut} />}
          </div>
        ),
      )}
    </Section>
  )
}
