import { percent } from '@/components/format.ts'
import type { StorefrontOverview } from '@/lib/modules/accounts/page.ts'
import { DataTable } from './data-table.tsx'
import { Money } from './money.tsx'
import { adminText as t } from './text.ts'

/** The last months, as bars with figures. The figures can be read without the bars and without color. */
export function Months({ months }: Pick<StorefrontOverview, 'months'>) {
  const currencies = [...new Set(months.flatMap(({ sales }) => sales.map(({ currency }) => currency)))]
  const salesIn = (month: (typeof months)[number], currency: string) =>
    month.sales.find((each) => each.currency === currency) ?? null
  const most = (figures: number[]) => Math.max(1, ...figures)
  const mostSold = (currency: string) => most(months.map((month) => Number(salesIn(month, currency)?.value ?? 0)))
  const mostMoved = most(months.flatMap(({ started, ended }) => [started, ended]))
  return (
    <DataTable
      columns={[
        { label: 'months.month', cell: ({ month }) => month },
        ...currencies.map((currency) => ({
          label: 'months.sales' as const,
          of: { currency },
          cell: (month: (typeof months)[number]) => {
            const sold = salesIn(month, currency)
            return sold && <Bar figure={<Money amount={sold} />} share={Number(sold.value) / mostSold(currency)} />
          },
        })),
        { label: 'months.started', cell: ({ started }) => <Bar figure={started} share={started / mostMoved} /> },
        { label: 'months.ended', cell: ({ ended }) => <Bar figure={ended} share={ended / mostMoved} /> },
        {
          label: 'months.churn',
          isAmount: true,
          cell: ({ churn }) => churn !== null && percent(Math.round(churn * 1000) / 10, 'en'),
        },
      ]}
      empty="storefront.nothing"
      keyOf={({ month }) => month}
      label={t('months.heading')}
      rows={months}
    />
  )
}

/** A bar of at most 6 rem beside a figure. Zero has no bar. */
const Bar = ({ share, figure }: { share: number; figure: React.ReactNode }) => (
  <span className="flex items-center gap-2">
    <svg aria-hidden="true" className="h-3 w-24 shrink-0" preserveAspectRatio="none" viewBox="0 0 100 1">
      <rect className="fill-current opacity-60" height="1" width={Math.max(0, Math.min(100, share * 100))} />
    </svg>
    {figure}
  </span>
)
