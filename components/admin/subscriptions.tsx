import type { AdminSubscriptionRow, SubscriptionsPage } from '@/lib/modules/subscriptions/page.ts'
import { SubscriptionBadge } from './badges.tsx'
import { type Column, DataTable, narrowedTo, Pager } from './data-table.tsx'
import { RowLink } from './id.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { FilterTabs, Heading, ofCustomer } from './page-parts.tsx'
import { adminText as t } from './text.ts'

type Row = AdminSubscriptionRow

export const soldText = ({ name, quantity }: Pick<Row, 'name' | 'quantity'>) => `${quantity} × ${name}`

const columnsWithCustomer = (path: string): readonly [Column<Row>, Column<Row>] => [
  {
    label: 'subscriptions.customer',
    cell: ({ id, customer }) => <RowLink href={`${path}/subscriptions/${id}`} text={customer} />,
  },
  { label: 'subscriptions.plan', onPhone: 'bare', cell: (row) => <Name>{soldText(row)}</Name> },
]

const columnsOfCustomer = (path: string): readonly [Column<Row>] => [
  {
    label: 'subscriptions.plan',
    cell: (row) => <RowLink href={`${path}/subscriptions/${row.id}`} text={soldText(row)} />,
  },
]

export function SubscriptionTable({
  subscriptions,
  path,
  list,
  isOfCustomer,
}: {
  subscriptions: readonly AdminSubscriptionRow[]
  path: string
  /**
   * True if all rows belong to one customer. The table then omits the customer, because the page names the customer.
   */
  isOfCustomer?: boolean
  /** The day filter and links of the list. Absent if the table is a section of another page. */
  list?: Pick<SubscriptionsPage, 'dates' | 'clearUrl' | 'actionUrl'>
}) {
  return (
    <DataTable
      columns={[
        ...(isOfCustomer ? columnsOfCustomer(path) : columnsWithCustomer(path)),
        { label: 'status', onPhone: 'bare', cell: (row) => <SubscriptionBadge subscription={row} /> },
        {
          label: 'subscriptions.monthly',
          isAmount: true,
          onPhone: 'corner',
          cell: ({ monthly }) => <Money amount={monthly} />,
        },
        {
          label: 'subscriptions.nextRenewal',
          sort: 'next-charge',
          cell: ({ nextRenewalAt }) => nextRenewalAt && <Moment at={nextRenewalAt} />,
        },
        { label: 'created', sort: 'date', cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
      dates={list?.dates}
      empty={
        <EmptyList
          action="catalog.new.subscription_plan"
          docs="merchants/sell-a-subscription"
          list={list}
          none="lists.none.subscriptions"
          text="subscriptions.empty"
        />
      }
      keyOf={({ id }) => id}
      label={t('storefront.nav.subscriptions')}
      rows={subscriptions}
    />
  )
}

interface ListProps {
  list: SubscriptionsPage
  path: string
}

const badgeOf = {
  created: 'created',
  active: 'active',
  trial: 'trial',
  on_grace_period: 'cancels',
  paused: 'paused',
  canceled: 'ended',
} as const

export function Subscriptions({ list, path }: ListProps) {
  return (
    <>
      <Heading note={ofCustomer(list.customer, path)}>{t('storefront.nav.subscriptions')}</Heading>
      <FilterTabs
        filter={list.filter}
        textOf={(status) => t(`badges.subscriptions.${badgeOf[status]}`)}
        url={narrowedTo(list.customerId, `${path}/subscriptions`, list.dates)}
      />
      <ListTools dates={list.dates} />
      <SubscriptionTable isOfCustomer={list.customerId !== null} list={list} path={path} subscriptions={list.rows} />
      <Pager {...list} />
    </>
  )
}
