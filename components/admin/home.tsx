import { day, money, percent } from '@/components/format.ts'
import { BarChart } from '@/components/ui/charts.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { StatTile } from '@/components/ui/stat-tile.tsx'
import type { StorefrontOverview } from '@/lib/modules/accounts/page.ts'
import { Money } from './money.tsx'
import { Months } from './months.tsx'
import { OrderTable } from './orders.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

interface HomeProps {
  overview: StorefrontOverview
  path: string
  outcome: FormResult
}

/**
 * The first page of a storefront: what waits, the main figures, and the newest orders. Before the first sale, the steps
 * of the set-up replace the figures.
 */
export function Home({ overview, path, outcome }: HomeProps) {
  const { attention, setUp, orders } = overview
  return (
    <>
      <FormResultNotice {...outcome} texts={{ created: 'newStorefront.created' }} />
      <Heading>{t('storefront.nav.overview')}</Heading>
      {setUp.length > 0 && <SetUp steps={setUp} />}
      {attention.length > 0 && <NeedsAttention attention={attention} />}
      {setUp.length === 0 && (
        <>
          <Tiles overview={overview} />
          <Section id="sales" label="home.sales">
            <SalesChart months={overview.months} />
          </Section>
        </>
      )}
      <Section id="orders" label="storefront.newestOrders">
        <OrderTable orders={orders} path={path} />
      </Section>
    </>
  )
}

const SetUp = ({ steps }: { steps: StorefrontOverview['setUp'] }) => (
  <section aria-labelledby="set-up" className="mt-4 rounded-box border border-line bg-paper p-4">
    <h2 className="font-semibold text-lead" id="set-up">
      {t('home.setUp.heading')}
    </h2>
    <ul className="mt-2">
      {steps.map(({ what, isDone, url }) => (
        <li className="flex min-h-9 items-center gap-3" key={what}>
          <Icon className={`size-5 shrink-0 ${isDone ? 'text-done' : 'text-field'}`} name={isDone ? 'done' : 'clock'} />
          {isDone ? (
            <span className="text-soft">
              {t(`home.setUp.${what}`)} <span className="sr-only">{t('home.setUp.done')}</span>
            </span>
          ) : (
            <a href={url}>{t(`home.setUp.${what}`)}</a>
          )}
        </li>
      ))}
    </ul>
  </section>
)

const NeedsAttention = ({ attention }: { attention: StorefrontOverview['attention'] }) => (
  <section aria-labelledby="attention" className="mt-4 rounded-box border border-warn bg-warn-tint p-4">
    <h2 className="font-semibold" id="attention">
      {t('home.attention.heading')}
    </h2>
    <ul className="mt-1">
      {attention.map(({ what, count, url }) => (
        <li key={what}>
          <a className="inline-flex min-h-8 items-center text-ink underline underline-offset-2" href={url}>
            {t(`home.attention.${what}`, { count, shown: count > 99 ? '99+' : count })}
          </a>
        </li>
      ))}
    </ul>
  </section>
)

function Tiles({
  overview: { months, monthlyRecurring, active, inTrial, balances },
}: {
  overview: StorefrontOverview
}) {
  const [before, now] = months.slice(-2)
  const currency = mainCurrency(months)
  const course = months.map((month) => salesIn(month, currency))
  const running = months.map(({ atBeginning, started, ended }) => atBeginning + started - ended)
  const churn = now?.churn ?? null
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2 hand:grid-cols-2 wide:grid-cols-4">
      <StatTile
        change={before && now ? changeOf(salesIn(before, currency), salesIn(now, currency)) : null}
        course={course}
        label={t('home.netRevenue')}
        note={t('home.thisMonth')}
        value={<Amounts amounts={now?.sales ?? []} />}
      />
      <StatTile
        label={t('storefront.monthlyRecurring')}
        note={conversionOf(monthlyRecurring)}
        value={<Money amount={monthlyRecurring.total} />}
      />
      <StatTile
        course={running}
        label={t('storefront.active')}
        note={inTrial > 0 && t('home.inTrial', { count: inTrial })}
        value={active}
      />
      <StatTile
        course={months.map(({ churn }) => churn ?? 0)}
        label={t('storefront.churn')}
        value={churn === null ? t('home.unknown') : percent(Math.round(churn * 1000) / 10, 'en')}
      />
      {balances && (
        <StatTile label={t('storefront.balance')} note={t('home.balanceText')} value={<Amounts amounts={balances} />} />
      )}
    </div>
  )
}

const Amounts = ({ amounts }: { amounts: StorefrontOverview['months'][number]['sales'] }) =>
  amounts.length === 0 ? (
    <Money amount={{ value: '0.00', currency: 'EUR' }} />
  ) : (
    <span className="flex flex-wrap gap-x-3">
      {amounts.map((each) => (
        <Money amount={each} key={each.currency} />
      ))}
    </span>
  )

type Month = StorefrontOverview['months'][number]

/** The currency with the most months of sales; EUR without sales. */
function mainCurrency(months: readonly Month[]): string {
  const counts = new Map<string, number>()
  for (const { currency } of months.flatMap(({ sales }) => sales)) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 'EUR'
}

const salesIn = ({ sales }: Month, currency: string): number =>
  Number(sales.find((each) => each.currency === currency)?.value ?? 0)

/** The change as text, such as "+12%"; null if the previous month has no value. */
const changeOf = (before: number, now: number): string | null =>
  before > 0
    ? t('home.change', { change: `${now < before ? '−' : '+'}${Math.abs(Math.round((now / before - 1) * 100))}` })
    : null

function conversionOf({ parts, ratesOf }: StorefrontOverview['monthlyRecurring']): string | null {
  if (parts.every(({ currency }) => currency === 'EUR')) return null
  const rates = ratesOf ? t('storefront.ratesOf', { day: day(ratesOf, 'en') }) : t('storefront.ratesBuiltIn')
  return `${parts.map((part) => money(part, 'en')).join(' + ')}, ${rates}`
}

const monthNames = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** Net revenue of each month in the main currency. The table has all currencies and the subscriptions. */
function SalesChart({ months }: { months: readonly Month[] }) {
  const currency = mainCurrency(months)
  return (
    <div className="mt-4 rounded-box border border-line bg-paper p-4">
      <p className="text-note text-soft">{t('home.salesText', { currency })}</p>
      <BarChart
        bars={months.map((month) => ({
          label: monthNames.format(new Date(`${month.month}-01T00:00:00Z`)),
          title: `${month.month}: ${salesIn(month, currency)}`,
          up: Math.max(0, salesIn(month, currency)),
          down: Math.max(0, -salesIn(month, currency)),
        }))}
        table={<Months months={months} />}
        tableTitle={t('home.asTable')}
      />
    </div>
  )
}
