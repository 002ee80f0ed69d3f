import { day, money, percent } from '@/components/format.ts'
import type { StorefrontList, StorefrontOverview } from '@/lib/modules/accounts/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { FilterForm } from './filter-form.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Months } from './months.tsx'
import { Name } from './name.tsx'
import { OrderTable } from './orders.tsx'
import { Figures, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** All storefronts, with links to both modes of each. */
export function Storefronts({ list }: { list: StorefrontList }) {
  return (
    <>
      <Heading>{t('storefronts.heading')}</Heading>
      {list.newUrl && (
        <p className="mt-2">
          <a href={list.newUrl}>{t('newStorefront.heading')}</a>
        </p>
      )}
      {list.name !== null && (
        <FilterForm
          action="/admin/storefronts"
          defaultValue={list.name}
          label={t('storefronts.filter')}
          maxLength={100}
          name="name"
        />
      )}
      <DataTable
        columns={[
          {
            label: 'storefronts.name',
            cell: ({ name, isSuspended, isOnHold }) => (
              <Name>
                {[
                  name,
                  ...(isSuspended ? [`(${t('suspension.mark')})`] : []),
                  ...(isOnHold ? [`(${t('hold.mark')})`] : []),
                ].join(' ')}
              </Name>
            ),
          },
          {
            label: 'storefronts.merchant',
            cell: ({ name, merchant, newUrl }) =>
              newUrl ? <OfMerchant merchant={merchant} name={name} url={newUrl} /> : <Name>{merchant}</Name>,
          },
          {
            label: 'storefronts.open',
            cell: ({ name, testUrl, liveUrl }) => (
              <span className="flex gap-4">
                <a aria-label={`${name}: ${t('storefront.modes.test')}`} href={testUrl}>
                  {t('storefront.modes.test')}
                </a>
                <a aria-label={`${name}: ${t('storefront.modes.live')}`} href={liveUrl}>
                  {t('storefront.modes.live')}
                </a>
              </span>
            ),
          },
          { label: 'storefronts.created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { label: 'storefronts.id', cell: ({ id }) => <Id id={id} /> },
        ]}
        empty={list.name ? 'storefronts.noneNamed' : 'storefronts.empty'}
        keyOf={({ id }) => id}
        label={t('storefronts.heading')}
        rows={list.rows}
      />
      <Pager {...list} />
    </>
  )
}

/** A merchant, with a link to create another storefront of the merchant. */
const OfMerchant = ({ merchant, name, url }: { merchant: string; name: string; url: string }) => (
  <span className="flex flex-wrap gap-x-4">
    <Name>{merchant}</Name>
    <a aria-label={`${t('newStorefront.another')}: ${merchant} (${name})`} href={url}>
      {t('newStorefront.another')}
    </a>
  </span>
)

/** A total in euros, with its parts in other currencies and their conversion. */
function Recurring({ total, parts, ratesOf }: StorefrontOverview['monthlyRecurring']) {
  const isConverted = parts.some(({ currency }) => currency !== 'EUR')
  const rates = ratesOf ? t('storefront.ratesOf', { day: day(ratesOf, 'en') }) : t('storefront.ratesBuiltIn')
  return (
    <>
      <Money amount={total} />
      {isConverted && (
        <span className="block text-note text-soft">
          {parts.map((part) => money(part, 'en')).join(' + ')}, {rates}
        </span>
      )}
    </>
  )
}

interface SummaryProps {
  overview: StorefrontOverview
  path: string
  outcome: FormResult
}

/** The totals of a storefront in one mode. */
export function StorefrontSummary({ overview, path, outcome }: SummaryProps) {
  const { balances, monthlyRecurring, active, inTrial, canceled, inRecovery, deliveries, orders } = overview
  const amounts = (all: typeof balances) =>
    all.length === 0 ? (
      t('storefront.nothing')
    ) : (
      <span className="flex flex-wrap gap-x-4">
        {all.map((each) => (
          <Money amount={each} key={each.currency} />
        ))}
      </span>
    )
  const link = (below: string, figure: number) => <a href={`${path}/${below}`}>{figure}</a>
  const churn = overview.months.at(-1)?.churn
  return (
    <>
      <FormResultNotice {...outcome} texts={{ created: 'newStorefront.created' }} />
      <Heading>{t('storefront.nav.overview')}</Heading>
      <Figures
        figures={[
          ['storefront.monthlyRecurring', <Recurring key="recurring" {...monthlyRecurring} />],
          ['storefront.active', link('subscriptions?status=active', active)],
          ['storefront.inTrial', link('subscriptions?status=trial', inTrial)],
          ['storefront.churn', churn === null || churn === undefined ? t('storefront.nothing') : ratio(churn)],
          ['storefront.inRecovery', link('orders?status=pending', inRecovery)],
          ['storefront.canceled', link('subscriptions?status=canceled', canceled)],
          ['storefront.balance', amounts(balances)],
          [
            'storefront.deliveries',
            <>
              {link('deliveries?status=pending', deliveries.pending)} <span aria-hidden="true">/</span>{' '}
              {link('deliveries?status=failed', deliveries.failed)}
            </>,
          ],
        ]}
      />
      <Section id="months" label="months.heading">
        <Months months={overview.months} />
      </Section>
      <Section id="orders" label="storefront.newestOrders">
        <OrderTable orders={orders} path={path} />
      </Section>
    </>
  )
}

const ratio = (share: number) => percent(Math.round(share * 1000) / 10, 'en')
