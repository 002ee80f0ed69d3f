import { countryName } from '@/components/format.ts'
import type { AdminList } from '@/lib/kernel/list.ts'
import type { AdminCustomerRow, CustomerPage } from '@/lib/modules/customers/page.ts'
import { addressOf, metadataOf } from './billing-facts.tsx'
import { ChargebackTable } from './chargebacks.tsx'
import { CustomerLinks, customerLinkTexts } from './customer-links.tsx'
import { CustomerNotes, customerNoteTexts, NoteProblems } from './customer-notes.tsx'
import { Cut, DataTable, Pager } from './data-table.tsx'
import { EmailTable } from './emails.tsx'
import { FilterForm } from './filter-form.tsx'
import { Id, RowLink } from './id.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { OrderTable } from './orders.tsx'
import { type FormResult, FormResultNotice, Heading, Section, Summary } from './page-parts.tsx'
import { SubscriptionTable } from './subscriptions.tsx'
import { adminLocale, adminText as t } from './text.ts'

export function Customers({
  list,
  path,
  email,
}: {
  list: AdminList<AdminCustomerRow>
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
      <ListTools dates={list.dates} />
      <DataTable
        columns={[
          {
            label: 'customers.name',
            sort: 'name',
            cell: (row) => <NameCell href={`${path}/customers/${row.id}`} row={row} />,
          },
          { label: 'customers.email', onPhone: 'bare', cell: ({ email }) => <Name>{email}</Name> },
          { label: 'orders.country', cell: ({ country }) => country && countryName(country, adminLocale()) },
          { label: 'customers.spend', isAmount: true, onPhone: 'corner', cell: (row) => <Spend {...row} /> },
          {
            label: 'storefront.nav.subscriptions',
            isAmount: true,
            cell: (row) => (row.isMoreOngoing ? `≥ ${row.ongoing}` : row.ongoing),
          },
          { label: 'customers.since', sort: 'date', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        dates={list.dates}
        empty={
          <EmptyList
            action="paymentLinks.new"
            docs="merchants/payment-links"
            list={list}
            none="lists.none.customers"
            text="customers.empty"
          />
        }
        keyOf={({ id }) => id}
        label={t('storefront.nav.customers')}
        rows={list.rows}
      />
      <Pager {...list} />
    </>
  )
}

/**
 * The first line is the customer's name, or else the email address. A sort by name uses this line. The second line is
 * the company or name on the newest order, if it differs from the customer's name.
 */
const NameCell = ({ row: { name, email, title }, href }: { row: AdminCustomerRow; href: string }) => (
  <>
    <RowLink href={href} text={name || email} />
    {title && title !== name && (
      <span className="block text-note text-soft">
        <Name>{title}</Name>
      </span>
    )}
  </>
)

/** The net spend in each currency. If older orders were not counted, each amount is a minimum. */
const Spend = ({ spend, isMore }: Pick<AdminCustomerRow, 'spend' | 'isMore'>) => (
  <span className="grid">
    {spend.map((amount) => (
      <span key={amount.currency}>
        {isMore && '≥ '}
        <Money amount={amount} />
      </span>
    ))}
  </span>
)

export function Customer({ page, path, outcome }: { page: CustomerPage; path: string; outcome: FormResult }) {
  const { customer, subscriptions, orders, moreSubscriptionsUrl, moreOrdersUrl } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={{ ...customerLinkTexts, ...customerNoteTexts }} />
      <NoteProblems notes={page.notes} />
      <Heading note={<Id id={customer.id} />}>
        <Name>{customer.name || customer.email}</Name>
      </Heading>
      <Summary
        facts={[
          ['customers.email', <Name key="email">{customer.email}</Name>],
          ['customers.company', page.billing?.companyName && <Name key="company">{page.billing.companyName}</Name>],
          ['customers.address', addressOf(page.billing)],
          [
            'customers.taxId',
            page.taxIdStatus && `${page.billing?.taxId}: ${t(`customers.taxIdStatuses.${page.taxIdStatus}`)}`,
          ],
          ['customers.spend', page.spend.spend.length === 0 ? null : <Spend key="spend" {...page.spend} />],
          ['customers.metadata', metadataOf(customer.metadata)],
          ['created', <Moment at={customer.createdAt} key="created" />],
        ]}
      />
      <Section id="subscriptions" label="storefront.nav.subscriptions">
        <SubscriptionTable isOfCustomer path={path} subscriptions={subscriptions} />
        {moreSubscriptionsUrl && (
          <Cut count={subscriptions.length} text="customers.allSubscriptions" url={moreSubscriptionsUrl} />
        )}
      </Section>
      <Section id="orders" label="storefront.nav.orders">
        <OrderTable isOfCustomer orders={orders} path={path} />
        {moreOrdersUrl && <Cut count={orders.length} text="customers.allOrders" url={moreOrdersUrl} />}
      </Section>
      {page.chargebacks.length > 0 && (
        <Section id="chargebacks" label="storefront.nav.chargebacks">
          <ChargebackTable chargebacks={page.chargebacks} path={path} />
        </Section>
      )}
      <Section id="emails" label="storefront.nav.emails">
        <EmailTable emails={page.emails} knownAddress={customer.email} path={path} />
      </Section>
      <CustomerLinks links={page.links} />
      <CustomerNotes notes={page.notes} />
    </>
  )
}
