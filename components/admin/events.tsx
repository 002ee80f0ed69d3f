import type { EventPage, EventsPage } from '@/lib/modules/webhooks/page.ts'
import { Breakable } from './breakable.tsx'
import { type Column, DataTable, Pager } from './data-table.tsx'
import { DeliveryTable } from './deliveries.tsx'
import { Chips, EventFilters, NoneMatches } from './event-filters.tsx'
import { Id, RowCodeLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { ObjectLink } from './object-link.tsx'
import { Facts, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const objectColumn: Column<EventsPage['rows'][number]> = {
  label: 'deliveries.entity',
  cell: (row) => <ObjectLink {...row} />,
}

export function Events({ page, path }: { page: EventsPage; path: string }) {
  const { rows, chips, listUrl } = page
  return (
    <>
      <Heading note={t('webhooks.events.text')}>{t('storefront.nav.events')}</Heading>
      <EventFilters page={page} />
      <Chips chips={chips} clearUrl={listUrl} />
      {rows.length === 0 && chips.length > 0 ? (
        <NoneMatches clearUrl={listUrl} text="webhooks.events.noneMatches" />
      ) : (
        <DataTable
          columns={[
            {
              label: 'deliveries.event',
              cell: ({ id, eventName }) => <RowCodeLink href={`${path}/events/${id}`} text={eventName} />,
            },
            ...(page.filters.object === null ? [objectColumn] : []),
            { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          ]}
          empty="webhooks.events.empty"
          keyOf={({ id }) => id}
          label={t('storefront.nav.events')}
          rows={rows}
        />
      )}
      <Pager {...page} />
    </>
  )
}

export const Event = ({ page, path }: { page: EventPage; path: string }) => (
  <>
    <p>
      <a href={`${path}/events`}>{t('storefront.nav.events')}</a>
    </p>
    <Heading note={<Id id={page.id} />}>
      <Breakable>{page.eventName}</Breakable>
    </Heading>
    <Facts
      facts={[
        ['deliveries.entity', <ObjectLink key="object" {...page} />],
        ['created', <Moment at={page.createdAt} key="created" />],
      ]}
    />
    <p className="mt-4">
      <a href={`${path}/events?${new URLSearchParams({ object: page.entityId })}`}>{t('webhooks.events.ofObject')}</a>
    </p>
    <Section id="deliveries" label="storefront.nav.deliveries">
      <DeliveryTable
        deliveries={page.deliveries}
        empty="webhooks.events.noDeliveries"
        known={{ isOfEvent: true }}
        path={path}
      />
    </Section>
    <Section id="body" label="webhooks.events.body">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre className="mt-2 overflow-x-auto rounded-box border border-line bg-paper p-4 text-note" tabIndex={0}>
        {page.body}
      </pre>
    </Section>
  </>
)
