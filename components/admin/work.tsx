import { linkButton } from '@/components/ui/button.ts'
import type { BacklogRow, WorkPage } from '@/lib/modules/invariants/page.ts'
import { DataTable, Export } from './data-table.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Heading, Section } from './page-parts.tsx'
import { type AdminKey, adminText as t } from './text.ts'

/** The background work: waiting and failing tasks, and the state of the books. */
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
        empty="work.nothing"
        keyOf={({ name }) => name}
        label={t('work.heading')}
        rows={queues}
      />
      {services.length > 0 && (
        <Section id="services" label="work.services.heading">
          <DataTable
            columns={[
              { label: 'work.services.name', cell: ({ name }) => t(`work.services.${name}`) },
              { label: 'work.services.state', cell: ({ state }) => (state === 'ok' ? t('work.services.ok') : state) },
            ]}
            empty="work.nothing"
            keyOf={({ name }) => name}
            label={t('work.services.heading')}
            rows={services}
          />
        </Section>
      )}
      <Section id="failing" label="work.failing">
        <DataTable
          columns={[
            { label: 'work.task', cell: ({ name }) => name },
            {
              label: 'work.of',
              cell: ({ storefrontUrl }) => storefrontUrl && <a href={storefrontUrl}>{t('storefronts.name')}</a>,
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

/** Waiting and failed work by storefront, longest wait first. */
const Backlog = ({ label, rows, most, waiting }: BacklogProps) => {
  const figure = (count: number) => (count < most ? count : t('work.orMore', { count: most }))
  const failed = waiting === 'pending' ? 'failed' : 'refused'
  const link = (row: BacklogRow, status: 'pending' | 'queued' | 'failed' | 'refused', count: number) => (
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
      ]}
      empty="work.noBacklog"
      keyOf={({ url }) => url}
      label={t(label)}
      rows={rows}
    />
  )
}

type Reconciled = WorkPage['reconciliations'][number]

/** The settlements of a provider, collapsed because they need no action. */
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
        { label: 'work.reconciliations.paidOut.revenue', isAmount: true, cell: ({ revenue }) => revenue },
        { label: 'work.reconciliations.paidOut.costs', isAmount: true, cell: ({ costs }) => costs },
        {
          label: 'work.reconciliations.paidOut.amount',
          isAmount: true,
          cell: ({ amount, currency }) => `${amount} ${currency}`,
        },
      ]}
      empty="work.nothing"
      keyOf={({ ref }) => ref}
      label={`${t('work.reconciliations.paidOut.heading')}: ${provider}`}
      rows={settlements}
    />
  </details>
)

/** The differences between the providers' books and ours. A person must resolve each line. */
function Reconciliations({ reconciliations }: Pick<WorkPage, 'reconciliations'>) {
  return (
    <Section id="reconciliations" label="work.reconciliations.heading">
      {reconciliations.length === 0 && <p className="mt-2 text-soft">{t('work.reconciliations.none')}</p>}
      {reconciliations.map(
        ({ provider, finishedAt, payments, refunds, chargebacks, settlements, differences, paidOut }) => (
          <div key={provider}>
            <p className="mt-2">
              {t('work.reconciliations.compared', {
                provider,
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
                  { label: 'work.reconciliations.atProvider', cell: ({ atProvider }) => atProvider },
                  { label: 'work.reconciliations.id', cell: ({ id }) => id },
                  { label: 'work.reconciliations.ours', cell: ({ ours }) => ours },
                ]}
                empty="work.nothing"
                keyOf={({ kind, ref, id }) => `${kind} ${ref} ${id}`}
                label={provider}
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
