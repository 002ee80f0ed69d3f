import { secondaryButton } from '@/components/ui/button.ts'
import type { AdminList } from '@/lib/modules/accounts/page.ts'
import { type DeliveryPage, type DeliveryRow, deliveryStatuses } from '@/lib/modules/webhooks/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { Moment } from './moment.tsx'
import { Facts, Heading, type Outcome, OutcomeNotice, Section, Tabs } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** What was delivered to the webhook endpoints, or was not. */
export function Deliveries({
  list,
  path,
  status,
}: {
  list: AdminList<DeliveryRow>
  path: string
  status: string | null
}) {
  return (
    <>
      <Heading>{t('storefront.nav.deliveries')}</Heading>
      <Tabs
        label={t('deliveries.filter')}
        tabs={[null, ...deliveryStatuses].map((each) => ({
          url: each === null ? `${path}/deliveries` : `${path}/deliveries?status=${each}`,
          text: t(each === null ? 'deliveries.all' : `statuses.${each}`),
          isOpen: each === status,
        }))}
      />
      <DataTable
        columns={[
          {
            label: 'deliveries.event',
            cell: ({ id, eventName }) => <a href={`${path}/deliveries/${id}`}>{eventName}</a>,
          },
          { label: 'status', cell: ({ status }) => t(`statuses.${status}`) },
          { label: 'deliveries.attempts', isAmount: true, cell: ({ attempts }) => attempts },
          { label: 'deliveries.next', cell: ({ nextAttemptAt }) => nextAttemptAt && <Moment at={nextAttemptAt} /> },
          { label: 'deliveries.endpoint', cell: ({ endpointUrl }) => endpointUrl },
          { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty="deliveries.empty"
        keyOf={({ id }) => id}
        label={t('storefront.nav.deliveries')}
        rows={list.rows}
      />
      <Pager {...list} />
    </>
  )
}

/** One delivery: the request, every attempt with its response, and when the next one comes. */
export function Delivery({ page, path, outcome }: { page: DeliveryPage; path: string; outcome: Outcome }) {
  const last = page.log.at(-1)
  return (
    <>
      <OutcomeNotice {...outcome} texts={{ resent: 'deliveries.resent' }} />
      <Heading note={<code>{page.id}</code>}>{page.eventName}</Heading>
      <Facts
        facts={[
          ['status', t(`statuses.${page.status}`)],
          ['deliveries.why', page.status !== 'delivered' && last ? whyOf(last) : null],
          ['deliveries.endpoint', page.endpointUrl],
          ['deliveries.attempts', page.attempts],
          ['deliveries.next', page.nextAttemptAt && <Moment at={page.nextAttemptAt} />],
          ['deliveries.eventId', <code key="event">{page.eventId}</code>],
          ['deliveries.entity', <code key="entity">{page.entityId}</code>],
          ['created', <Moment at={page.createdAt} key="created" />],
        ]}
      />
      {page.canResend && page.mayResend ? (
        <form action={`${path}/deliveries/${page.id}/submit`} className="mt-4" method="post">
          <button className={secondaryButton} name="intent" type="submit" value="resend">
            {t('deliveries.sendAgain')}
          </button>
        </form>
      ) : (
        <p className="mt-4 text-soft">{t(page.canResend ? 'notYours' : 'deliveries.unwanted')}</p>
      )}
      <Section id="attempts" label="deliveries.attempts">
        <DataTable
          columns={[
            { label: 'deliveries.number', cell: ({ number }) => number },
            { label: 'deliveries.startedAt', cell: ({ startedAt }) => <Moment at={startedAt} /> },
            { label: 'deliveries.duration', isAmount: true, cell: ({ durationMs }) => `${durationMs} ms` },
            { label: 'deliveries.response', cell: whyOf },
            {
              label: 'deliveries.body',
              cell: ({ answer }) => answer && <pre className="max-w-md whitespace-pre-wrap break-all">{answer}</pre>,
            },
          ]}
          empty="deliveries.noAttempts"
          keyOf={({ number }) => number}
          label={t('deliveries.attempts')}
          rows={page.log}
        />
      </Section>
      <Section id="request" label="deliveries.request">
        <p className="mt-2 text-note text-soft">{t('deliveries.requestText')}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus */}
        <pre className="mt-2 overflow-x-auto rounded-box border border-line bg-paper p-4 text-note" tabIndex={0}>
          {page.body}
        </pre>
      </Section>
    </>
  )
}

const whyOf = ({ status, error }: DeliveryPage['log'][number]): string =>
  status === null ? (error ?? '') : `HTTP ${status}${error ? `: ${error}` : ''}`
