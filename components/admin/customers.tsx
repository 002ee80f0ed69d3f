import type { AdminList } from '@/lib/kernel/list.ts'
import type { AdminCustomer, CustomerPage } from '@/lib/modules/customers/page.ts'
import { CustomerLinks, customerLinkTexts } from './customer-links.tsx'
import { Cut, DataTable, Pager } from './data-table.tsx'
import { FilterForm } from './filter-form.tsx'
import { Id, RowLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { OrderTable } from './orders.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { SubscriptionTable } from './subscriptions.tsx'
import { adminText as t } from './text.ts'

export function Customers({
  list,
  path,
  email,
}: {
  list: AdminList<AdminCustomer>
  path: string
  email: string | null
}) {
  return (
    <>
      <Heading>{t('storefront.nav.customers')}</Heading>
      <FilterForm
        action={`${path}/customers`}
        defaultValue={email ?? ''}
        label={t('customers.email')}
        maxLength={254}
        name="email"
        type="email"
      />
      <DataTable
        columns={[
          {
            label: 'customers.name',
            cell: ({ id, name, email }) => <RowLink href={`${path}/customers/${id}`} text={name || email} />,
          },
          { label: 'customers.email', onPhone: 'bare', cell: ({ email }) => <Name>{email}</Name> },
          { label: 'customers.since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty="customers.empty"
        keyOf={({ id }) => id}
        label={t('storefront.nav.customers')}
        rows={list.rows}
      />
      <Pager {...list} />
    </>
  )
}

/** One customer, with the newest purchases. */
export function Customer({ page, path, outcome }: { page: CustomerPage; path: string; outcome: FormResult }) {
  const { customer, subscriptions, orders, moreSubscriptionsUrl, moreOrdersUrl } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={customerLinkTexts} />
      <Heading note={<Id id={customer.id} />}>{customer.email}</Heading>
      <Facts
        facts={[
          ['customers.name', customer.name && <Name key="name">{customer.name}</Name>],
          ['created', <Moment at={customer.createdAt} key="created" />],
        ]}
      />
      <CustomerLinks links={page.links} />
      <Section id="subscriptions" label="storefront.nav.subscriptions">
        <SubscriptionTable path={path} subscriptions={subscriptions} />
        {moreSubscriptionsUrl && (
          <Cut count={subscriptions.length} text="customers.allSubscriptions" url={moreSubscriptionsUrl} />
        )}
      </Section>
      <Section id="orders" label="storefront.nav.orders">
        <OrderTable orders={orders} path={path} />
        {moreOrdersUrl && <Cut count={orders.length} text="customers.allOrders" url={moreOrdersUrl} />}
      </Section>
    </>
  )
}
