import type { AdminOrderRow, OrdersPage, PaymentAttempt } from '@/lib/modules/orders/page.ts'
import { OrderBadge } from './badges.tsx'
import { type Column, DataTable, Export, narrowedTo, Pager } from './data-table.tsx'
import { RowLink } from './id.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { soldText } from './order-lines.tsx'
import { FilterTabs, Heading, ofCustomer } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const columnsWithCustomer = (path: string): readonly [Column<AdminOrderRow>, Column<AdminOrderRow>] => [
  { label: 'orders.buyer', cell: ({ id, customer }) => <RowLink href={`${path}/orders/${id}`} text={customer} /> },
  { label: 'orders.about', onPhone: 'bare', cell: ({ lines }) => <Name>{soldText(lines)}</Name> },
]

const columnsOfCustomer = (path: string): readonly [Column<AdminOrderRow>] => [
  {
    label: 'orders.about',
    cell: ({ id, lines }) => <RowLink href={`${path}/orders/${id}`} text={soldText(lines) ?? t('orders.order')} />,
  },
]

export function OrderTable({
  orders,
  path,
  list,
  isOfCustomer,
}: {
  orders: readonly AdminOrderRow[]
  path: string
  /**
   * True if all rows belong to one customer. The table then omits the customer, because the page names the customer.
   */
  isOfCustomer?: boolean
  /** The day filter and links of the list. Absent if the table is a section of another page. */
  list?: Pick<OrdersPage, 'dates' | 'clearUrl' | 'actionUrl'>
}) {
  return (
    <DataTable
      columns={[
        ...(isOfCustomer ? columnsOfCustomer(path) : columnsWithCustomer(path)),
        { label: 'status', onPhone: 'bare', cell: (order) => <OrderBadge order={order} /> },
        {
          label: 'orders.total',
          isAmount: true,
          sort: 'amount',
          onPhone: 'corner',
          cell: ({ total }) => <Money amount={total} />,
        },
        {
          label: 'orders.paymentMethod',
          onPhone: 'bare',
          cell: ({ paymentMethod }) =>
            paymentMethod && (
              <span className="min-[80rem]:whitespace-nowrap">
                {t(`methods.${paymentMethod as PaymentAttempt['method']}`)}
              </span>
            ),
        },
        { label: 'created', sort: 'date', onPhone: 'bare', cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
      dates={list?.dates}
      empty={
        <EmptyList
          action="paymentLinks.new"
          docs="merchants/payment-links"
          list={list}
          none="lists.none.orders"
          text="orders.empty"
        />
      }
      keyOf={({ id }) => id}
      label={t('orders.heading')}
      rows={orders}
    />
  )
}

export function Orders({ list, path }: { list: OrdersPage; path: string }) {
  return (
    <>
      <Heading note={ofCustomer(list.customer, path)}>{t('orders.heading')}</Heading>
      <FilterTabs
        filter={list.filter}
        textOf={(status) => t(`badges.orders.${status}`)}
        url={narrowedTo(list.customerId, `${path}/orders`, list.dates)}
      />
      <ListTools dates={list.dates} />
      <OrderTable isOfCustomer={list.customerId !== null} list={list} orders={list.rows} path={path} />
      <Pager {...list} />
      <div className="mt-2 flex justify-end">
        <Export exportUrl={list.refundsExportUrl} text="orders.exportRefunds" />
      </div>
    </>
  )
}
