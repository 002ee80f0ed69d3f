import type { WorkPage } from '@/lib/modules/invariants/page.ts'
import { DataTable } from './data-table.tsx'
import { Moment } from './moment.tsx'
import { Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** What the service does on its own: what waits, what fails, and whether its books are whole. */
export function Work({ page: { queues, inngest, failing, check, reconciliations } }: { page: WorkPage }) {
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
      {inngest !== null && <p className="mt-2 text-soft">{t('work.inngest', { state: inngest })}</p>}
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
      </Section>
      <Section id="invariants" label="work.invariants">
        {check === null ? (
          <p className="mt-2 text-soft">{t('work.unchecked')}</p>
        ) : (
          <>
            <p className="mt-2">
              {t(check.broken.length === 0 ? 'work.hold' : 'work.broken', { count: check.broken.length })}{' '}
              <Moment at={check.finishedAt} />
            </p>
            <ul className="mt-2 grid gap-2">
              {check.broken.map(({ name, ids }) => (
                <li key={name}>
                  {name}: <code>{ids.join(', ')}</code>
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>
      <Reconciliations reconciliations={reconciliations} />
    </>
  )
}

/** What differs between the books of the providers and ours: each line is money that somebody has to look for. */
function Reconciliations({ reconciliations }: Pick<WorkPage, 'reconciliations'>) {
  return (
    <Section id="reconciliations" label="work.reconciliations.heading">
      {reconciliations.length === 0 && <p className="mt-2 text-soft">{t('work.reconciliations.none')}</p>}
      {reconciliations.map(({ provider, finishedAt, payments, refunds, chargebacks, settlements, differences }) => (
        <div key={provider}>
          <p className="mt-2">
            {t('work.reconciliations.compared', {
              ...{ provider, payments, refunds, chargebacks, settlements, count: differences.length },
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
                { label: 'work.reconciliations.theirs', cell: ({ theirs }) => theirs },
                { label: 'work.reconciliations.id', cell: ({ id }) => id },
                { label: 'work.reconciliations.ours', cell: ({ ours }) => ours },
              ]}
              empty="work.nothing"
              keyOf={({ kind, ref, id }) => `${kind} ${ref} ${id}`}
              label={provider}
              rows={differences}
            />
          )}
        </div>
      ))}
    </Section>
  )
}
