import type { WorkPage } from '@/lib/modules/invariants/page.ts'
import { DataTable } from './data-table.tsx'
import { Moment } from './moment.tsx'
import { Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** What the service does on its own: what waits, what fails, and whether its books are whole. */
export function Work({ page: { queues, inngest, failing, check } }: { page: WorkPage }) {
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
    </>
  )
}
