import { secondaryButton } from '@/components/ui/button.ts'
import type { DeliveriesPage, DeliveryPage, DeliveryRow } from '@/lib/modules/webhooks/page.ts'
import { StatusBadge } from './badges.tsx'
import { DataTable, Pager } from './data-table.tsx'
import { Id, RowLink } from './id.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Facts, FilterTabs, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** The deliveries to the webhook endpoints. */
export function Deliveries({ list, path }: { list: DeliveriesPage; path: string }) {
  const { endpoint } = list
  const url = `${path}/deliveries${endpoint ? `?endpoint=${endpoint.id}` : ''}`
  return (
    <>
      <Heading>{t('storefront.nav.deliveries')}</Heading>
      {endpoint && (
        <p className="mt-1 wrap-anywhere">
          {t('deliveries.toEndpoint')} <a href={`${path}/endpoints/${endpoint.id}`}>{endpoint.url}</a>{' '}
          <a href={`${path}/deliveries`}>{t('deliveries.toAll')}</a>
        </p>
      )}
      <FilterTabs filter={list.filter} textOf={(status) => t(`statuses.${status}`)} url={url} />
      <ListTools dates={list.dates} />
      <DeliveryTable deliveries={list.rows} list={list} path={path} />
      <Pager {...list} />
    </>
  )
}

export const DeliveryTable = ({
  deliveries,
  path,
  list,
}: {
  deliveries: readonly DeliveryRow[]
  path: string
  /** The list with these deliveries, on its own page. */
  list?: Pick<DeliveriesPage, 'dates' | 'clearUrl' | 'actionUrl'>
}) => (
  <DataTable
    columns={[
      {
        label: 'deliveries.event',
        cell: ({ id, eventName }) => <RowLink href={`${path}/deliveries/${id}`} text={eventName} />,
      },
      { label: 'status', onPhone: 'corner', cell: ({ status }) => <StatusBadge status={status} /> },
      { label: 'deliveries.attempts', isAmount: true, cell: ({ attempts }) => attempts },
      { label: 'deliveries.next', cell: ({ nextAttemptAt }) => nextAttemptAt && <Moment at={nextAttemptAt} /> },
      { label: 'deliveries.endpoint', cell: ({ endpointUrl }) => <Name>{endpointUrl}</Name> },
      { label: 'created', isSorted: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    ]}
    dates={list?.dates}
    empty={
      <EmptyList
        action="endpoints.new"
        docs="merchants/webhooks"
        list={list}
        none="lists.none.deliveries"
        text="deliveries.empty"
      />
    }
    keyOf={({ id }) => id}
    label={t('storefront.nav.deliveries')}
    rows={deliveries}
  />
)

/** The deliveries about an object, as a section of its page. */
export const DeliveriesAbout = ({ deliveries, path }: { deliveries: readonly DeliveryRow[]; path: string }) =>
  deliveries.length > 0 && (
    <Section id="deliveries" label="storefront.nav.endpoints">
      <DeliveryTable deliveries={deliveries} path={path} />
    </Section>
  )

/** One delivery: the request, every attempt with its response, and the time of the next attempt. */
export function Delivery({ page, path, outcome }: { page: DeliveryPage; path: string; outcome: FormResult }) {
  const last = page.log.at(-1)
  return (
    <>
      <FormResultNotice {...outcome} texts={{ resent: 'deliveries.resent' }} />
      <Heading note={<Id id={page.id} />}>{page.eventName}</Heading>
      <Facts
        facts={[
          ['status', <StatusBadge key="status" status={page.status} />],
          ['deliveries.why', page.status !== 'delivered' && last ? whyOf(last) : null],
          ['deliveries.endpoint', page.endpointUrl],
          ['deliveries.attempts', page.attempts],
          ['deliveries.next', page.nextAttemptAt && <Moment at={page.nextAttemptAt} />],
          ['deliveries.eventId', <Id id={page.eventId} key="event" />],
          [
            'deliveries.entity',
            page.entityPath ? (
              <a href={page.entityPath} key="entity">
                {page.entityId}
              </a>
            ) : (
              <Id id={page.entityId} key="entity" />
            ),
          ],
          ['created', <Moment at={page.createdAt} key="created" />],
        ]}
      />
      {page.canResend && page.mayResend ? (
        <form action={`${path}/deliveries/${page.id}/submit`} className="mt-4" method="post">
          <input name="key" type="hidden" value={page.formKey} />
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
            {
              label: page.testmode ? 'deliveries.startedAtInReality' : 'deliveries.startedAt',
              cell: ({ startedAt }) => <Moment at={startedAt} />,
            },
            { label: 'deliveries.duration', isAmount: true, cell: ({ durationMs }) => `${durationMs} ms` },
            { label: 'deliveries.response', cell: whyOf },
            {
              label: 'deliveries.body',
              cell: ({ answer }) => answer && <pre className="max-w-md whitespace-pre-wrap break-all">{answer}</pre>,
            },
            {
              label: 'deliveries.signature',
              cell: ({ signature }) => signature && <Signature text={signature} />,
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
        <Request page={page} />
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

/** The header of the signature: the time, and the HMAC of time and body. */
const Signature = ({ text }: { text: string }) => (
  <code className="inline-block max-w-64 select-all break-all align-top">{text}</code>
)

/** The first lines of the last request. */
const Request = ({ page: { endpointUrl, eventId, log } }: { page: DeliveryPage }) => (
  <pre className="mt-2 whitespace-pre-wrap break-all text-note">
    {[
      `POST ${endpointUrl}`,
      'Content-Type: application/json; charset=utf-8',
      `Service-Event-Id: ${eventId}`,
      `Service-Signature: ${log.at(-1)?.signature ?? t('deliveries.unsigned')}`,
    ].join('\n')}
  </pre>
)
