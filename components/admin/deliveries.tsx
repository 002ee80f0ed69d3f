import { secondaryButton } from '@/components/ui/button.ts'
import { SelectField } from '@/components/ui/field.tsx'
import type { DeliveriesPage, DeliveryPage, DeliveryRow } from '@/lib/modules/webhooks/page.ts'
import { StatusBadge } from './badges.tsx'
import { Breakable } from './breakable.tsx'
import { type Column, DataTable, Pager } from './data-table.tsx'
import { errorText } from './delivery-error.ts'
import { Chips, EventFilters, NoneMatches } from './event-filters.tsx'
import { Id, RowCodeLink, RowLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { ObjectLink } from './object-link.tsx'
import { Facts, FilterTabs, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { type AdminKey, adminText as t } from './text.ts'
import { WebhookTabs } from './webhook-tabs.tsx'

export function Deliveries({ list, path, outcome }: { list: DeliveriesPage; path: string; outcome: FormResult }) {
  const { rows, chips, endpoints, filters, listUrl } = list
  const clearUrl = filters.status === null ? listUrl : `${listUrl}?status=${filters.status}`
  return (
    <>
      <FormResultNotice {...outcome} texts={{}} />
      {list.resent !== null && (
        <p className="mb-4 rounded-box border border-line bg-tint p-3 font-semibold" role="status">
          {t('webhooks.resend.done', { count: list.resent })}
        </p>
      )}
      <Heading>{t('storefront.nav.deliveries')}</Heading>
      <WebhookTabs open="deliveries" path={path} />
      <FilterTabs filter={list.filter} textOf={(status) => t(`statuses.${status}`)} url={list.unfilteredByStatusUrl} />
      <EventFilters page={list}>
        {filters.status && <input name="status" type="hidden" value={filters.status} />}
        {endpoints.length > 1 && (
          <SelectField defaultValue={filters.endpoint ?? ''} label={t('deliveries.endpoint')} name="endpoint">
            <option value="">{t('webhooks.anyEndpoint')}</option>
            {endpoints.map(({ id, url }) => (
              <option key={id} value={id}>
                {url}
              </option>
            ))}
          </SelectField>
        )}
      </EventFilters>
      <Chips chips={chips} clearUrl={clearUrl} />
      {list.resend && (
        <Resend action={`${path}/deliveries/submit`} cancelUrl={cancelUrlOf(list)} resend={list.resend} />
      )}
      {rows.length === 0 && chips.length > 0 ? (
        <NoneMatches clearUrl={clearUrl} text="webhooks.noneMatches" />
      ) : (
        <DeliveryTable
          deliveries={rows}
          known={{ objectId: filters.object, isOfEndpoint: filters.endpoint !== null }}
          path={path}
        />
      )}
      {list.resendUrl && rows.some(({ status }) => status === 'failed') && (
        <p className="mt-4">
          <a className={secondaryButton} href={list.resendUrl}>
            {t('webhooks.resend.ask')}
          </a>
        </p>
      )}
      <Pager {...list} />
    </>
  )
}

const cancelUrlOf = ({ listUrl, filters }: DeliveriesPage) => {
  const set = Object.entries(filters).filter((each): each is [string, string] => each[1] !== null)
  return `${listUrl}?${new URLSearchParams(set)}`
}

const Resend = ({
  resend: { count, most, days, fields, formKey },
  action,
  cancelUrl,
}: {
  resend: NonNullable<DeliveriesPage['resend']>
  action: string
  cancelUrl: string
}) => (
  <Section id="resend" isAskedFor label="webhooks.resend.ask">
    <p className="mt-2 max-w-2xl">
      {t(count > most ? 'webhooks.resend.many' : 'webhooks.resend.count', { count, most, days })}
    </p>
    <form action={action} className="mt-4 flex flex-wrap items-center gap-4" method="post">
      <input name="key" type="hidden" value={formKey} />
      {fields.map(({ name, value }) => (
        <input key={name} name={name} type="hidden" value={value} />
      ))}
      {count > 0 && (
        <button className={secondaryButton} type="submit">
          {t('webhooks.resend.confirm', { count: Math.min(count, most) })}
        </button>
      )}
      <a href={cancelUrl}>{t('webhooks.resend.cancel')}</a>
    </form>
  </Section>
)

/** The object, endpoint, or event that all rows share and that the page already shows. The table does not repeat it. */
interface Known {
  readonly objectId?: string | null
  readonly isOfEndpoint?: boolean
  readonly isOfEvent?: boolean
}

export const DeliveryTable = ({
  deliveries,
  path,
  known = {},
  empty = 'deliveries.empty',
}: {
  deliveries: readonly DeliveryRow[]
  path: string
  known?: Known
  empty?: AdminKey
}) => (
  <DataTable
    columns={[
      firstColumn(known, path),
      { label: 'status', onPhone: 'corner', cell: ({ status }) => <StatusBadge status={status} /> },
      { label: 'deliveries.attempts', isAmount: true, cell: ({ attempts }) => attempts },
      { label: 'deliveries.next', cell: ({ nextAttemptAt }) => nextAttemptAt && <Moment at={nextAttemptAt} /> },
      ...(known.isOfEndpoint || known.isOfEvent ? [] : [endpointColumn]),
      { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    ]}
    empty={empty}
    keyOf={({ id }) => id}
    label={t('storefront.nav.deliveries')}
    rows={deliveries}
  />
)

const firstColumn = ({ objectId, isOfEvent }: Known, path: string): Column<DeliveryRow> =>
  isOfEvent
    ? {
        label: 'deliveries.endpoint',
        cell: ({ id, endpointUrl }) => <RowLink href={`${path}/deliveries/${id}`} text={endpointUrl} />,
      }
    : {
        label: 'deliveries.event',
        cell: ({ id, eventName, entityId }) => (
          <>
            <RowCodeLink href={`${path}/deliveries/${id}`} text={eventName} />
            {entityId !== objectId && <code className="block break-all font-normal text-soft">{entityId}</code>}
          </>
        ),
      }

const endpointColumn: Column<DeliveryRow> = {
  label: 'deliveries.endpoint',
  cell: ({ endpointUrl }) => <EndpointUrl>{endpointUrl}</EndpointUrl>,
}

/** The URL can wrap, so that the table is not wider than a desktop screen. */
const EndpointUrl = ({ children }: { children: string }) => (
  <bdi className="inline-block wide:max-w-36 wrap-anywhere align-top">{children}</bdi>
)

export const DeliveriesAbout = ({
  deliveries,
  objectId,
  path,
}: {
  deliveries: readonly DeliveryRow[]
  objectId: string
  path: string
}) =>
  deliveries.length > 0 && (
    <Section id="deliveries" label="storefront.nav.endpoints">
      <DeliveryTable deliveries={deliveries} known={{ objectId }} path={path} />
    </Section>
  )

export function Delivery({ page, path, outcome }: { page: DeliveryPage; path: string; outcome: FormResult }) {
  const last = page.log.at(-1)
  return (
    <>
      <FormResultNotice {...outcome} texts={{ resent: 'deliveries.resent' }} />
      <p>
        <a href={`${path}/deliveries`}>{t('storefront.nav.deliveries')}</a>
      </p>
      <Heading note={<Id id={page.id} />}>
        <Breakable>{page.eventName}</Breakable>
      </Heading>
      <Facts
        facts={[
          ['status', <StatusBadge key="status" status={page.status} />],
          ['deliveries.why', page.status !== 'delivered' && last ? whyOf(last) : null],
          ['webhooks.advice', page.failure && t(`webhooks.advices.${page.failure}`)],
          ['deliveries.endpoint', <EndpointLink key="endpoint" page={page} />],
          ['deliveries.attempts', page.attempts],
          ['deliveries.next', page.nextAttemptAt && <Moment at={page.nextAttemptAt} />],
          [
            'deliveries.eventId',
            <a href={page.eventUrl} key="event">
              {page.eventId}
            </a>,
          ],
          ['deliveries.entity', <ObjectLink key="entity" {...page} />],
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <pre className="mt-2 overflow-x-auto rounded-box border border-line bg-paper p-4 text-note" tabIndex={0}>
          {page.body}
        </pre>
      </Section>
    </>
  )
}

const EndpointLink = ({ page: { endpointPath, endpointUrl } }: { page: DeliveryPage }) =>
  endpointPath ? <a href={endpointPath}>{endpointUrl}</a> : endpointUrl

const whyOf = ({ status, error }: DeliveryPage['log'][number]): string =>
  status === null ? errorText(error ?? '') : `HTTP ${status}${error ? `: ${errorText(error)}` : ''}`

const Signature = ({ text }: { text: string }) => (
  <code className="inline-block max-w-64 select-all break-all align-top">{text}</code>
)

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
