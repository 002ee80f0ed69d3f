import { countryName } from '@/components/format.ts'
import type { AdminList } from '@/lib/kernel/list.ts'
import type { AdminCustomerRow, CustomerPage } from '@/lib/modules/customers/page.ts'
import { ChargebackTable } from './chargebacks.tsx'
import { CustomerLinks, customerLinkTexts } from './customer-links.tsx'
import { Cut, DataTable, Pager } from './data-table.tsx'
import { EmailTable } from './emails.tsx'
import { FilterForm } from './filter-form.tsx'
import { Id, RowLink } from './id.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { OrderTable } from './orders.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
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
            cell: ({ id, title, email }) => <RowLink href={`${path}/customers/${id}`} text={title || email} />,
          },
          { label: 'customers.email', onPhone: 'bare', cell: ({ email }) => <Name>{email}</Name> },
          { label: 'orders.country', cell: ({ country }) => country && countryName(country, adminLocale()) },
          { label: 'customers.spend', isAmount: true, onPhone: 'corner', cell: (row) => <Spend {...row} /> },
          { label: 'storefront.nav.subscriptions', isAmount: true, cell: ({ ongoing }) => ongoing },
          { label: 'customers.since', isSorted: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
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

/** The net amount of each currency. If older orders were not counted, each amount is a minimum. */
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

/** The address with one line per part. Null without an address. */
function addressOf(billing: CustomerPage['billing']) {
  const { streetAndNumber, streetAdditional, postalCode, city, region, country } = billing ?? {}
  const place = [postalCode, city].filter(Boolean).join(' ')
  const lines = [streetAndNumber, streetAdditional, place, region, country && countryName(country, adminLocale())]
  const known = lines.filter(Boolean)
  return known.length === 0 ? null : <span className="whitespace-pre-line">{known.join('\n')}</span>
}

const metadataOf = (metadata: AdminCustomerRow['metadata']) => {
  const entries = Object.entries(metadata ?? {})
  if (entries.length === 0) return null
  return (
    <ul>
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code>: <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
        </li>
      ))}
    </ul>
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
      {page.chargebacks.length > 0 && (
        <Section id="chargebacks" label="storefront.nav.chargebacks">
          <ChargebackTable chargebacks={page.chargebacks} path={path} />
        </Section>
      )}
      <Section id="emails" label="storefront.nav.emails">
        <EmailTable emails={page.emails} path={path} />
      </Section>
    </>
  )
}
