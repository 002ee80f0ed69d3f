import type { ReactNode } from 'react'
import { day, dayOfMonth, days, money, percent, shortMonth } from '@/components/format.ts'
import { AreaChart, type Bar, BarChart } from '@/components/ui/charts.tsx'
import { StatTile } from '@/components/ui/stat-tile.tsx'
import type { Amount } from '@/lib/kernel/money.ts'
import type { Choice, HomeFigures } from '@/lib/modules/figures/page.ts'
import { DataTable } from './data-table.tsx'
import { FigureLists } from './figure-lists.tsx'
import { Money } from './money.tsx'
import { type AdminKey, adminLocale, adminText as t } from './text.ts'

interface FiguresProps {
  figures: HomeFigures
  balances: readonly Amount[] | null
}

export function Figures({ figures, balances }: FiguresProps) {
  const { ranges, currencies, completeUntil } = figures
  return (
    <section aria-labelledby="figures" className="mt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="sr-only" id="figures">
          {t('home.figures')}
        </h2>
        <Choices choices={ranges} label="home.ranges" textOf={(name) => t(`home.range.${name}`)} />
        {currencies.length > 1 && <Choices choices={currencies} label="home.currencies" textOf={(name) => name} />}
      </div>
      {completeUntil && (
        <p className="mt-2 text-note text-soft">
          {t('home.completeUntil', { day: day(completeUntil, adminLocale()) })}
        </p>
      )}
      <Tiles balances={balances} figures={figures} />
      <div className="mt-4 grid items-start gap-4 wide:grid-cols-2">
        <MrrChart figures={figures} />
        <RevenueChart figures={figures} />
      </div>
      <details className="mt-2">
        <summary className="inline-flex min-h-8 items-center text-accent text-note underline underline-offset-2">
          {t('home.asTable')}
        </summary>
        <PeriodTable figures={figures} />
      </details>
      <FigureLists figures={figures} />
      <p className="mt-2 text-note">
        <a href="/docs/merchants/figures">{t('home.definitions')}</a>
      </p>
    </section>
  )
}

interface ChoicesProps<Name extends string> {
  choices: readonly Choice<Name>[]
  label: AdminKey
  textOf: (name: Name) => string
}

const Choices = <Name extends string>({ choices, label, textOf }: ChoicesProps<Name>) => (
  <nav aria-label={t(label)} className="flex flex-wrap gap-2 text-note">
    {choices.map(({ name, url, isCurrent }) => (
      <a
        aria-current={isCurrent ? 'true' : undefined}
        className={`inline-flex min-h-8 items-center rounded-box border px-3 no-underline ${isCurrent ? 'border-accent bg-tint font-semibold text-ink' : 'border-line text-soft'}`}
        href={url}
        key={name}
      >
        {textOf(name)}
      </a>
    ))}
  </nav>
)

function Tiles({ figures: { netRevenue, mrr, subscribers, churn, range }, balances }: FiguresProps) {
  const changed = (change: number | null) =>
    change === null
      ? null
      : t('home.change', { change: `${change < 0 ? '−' : '+'}${Math.abs(change)}`, range: rangeKeys[range] })
  return (
    <div className={`mt-4 grid gap-4 hand:grid-cols-2 ${balances ? 'wide:grid-cols-5' : 'wide:grid-cols-4'}`}>
      <StatTile
        change={changed(netRevenue.change)}
        course={netRevenue.course}
        label={t('home.netRevenue')}
        value={<Money amount={netRevenue.value} />}
      />
      <StatTile
        change={changed(mrr.change)}
        course={mrr.course}
        label={t('home.mrrShort')}
        title={t('home.mrr')}
        value={<Money amount={mrr.value} />}
      />
      <StatTile
        change={changed(subscribers.change)}
        course={subscribers.course}
        label={t('home.subscribers')}
        value={subscribers.value}
      />
      <StatTile
        change={changed(churn.change)}
        course={churn.course}
        label={t('home.churn')}
        value={churn.value === null ? t('home.unknown') : percent(Math.round(churn.value * 1000) / 10, adminLocale())}
      />
      {balances && (
        <StatTile label={t('storefront.balance')} note={t('home.balanceText')} value={<Amounts amounts={balances} />} />
      )}
    </div>
  )
}

/** The `select` cases of the ranges. ICU message syntax requires that a case begins with a letter. */
const rangeKeys = { '30d': 'd30', '90d': 'd90', '12m': 'm12' } as const

const Amounts = ({ amounts }: { amounts: readonly Amount[] }) =>
  amounts.length === 0 ? (
    <Money amount={{ value: '0.00', currency: 'EUR' }} />
  ) : (
    <span className="flex flex-wrap gap-x-3">
      {amounts.map((each) => (
        <Money amount={each} key={each.currency} />
      ))}
    </span>
  )

type Period = HomeFigures['periods'][number]

const gains = [
  ['new', 'fill-accent'],
  ['expansion', 'fill-accent/60'],
  ['reactivation', 'fill-accent/30'],
] as const
const losses = [
  ['churn', 'fill-wrong'],
  ['contraction', 'fill-wrong/50'],
] as const

/** Converts an amount to a floating-point number. For charts only, because such a number is not exact enough for amounts of money. */
const numberOf = ({ value }: Amount): number => Number(value)

function MrrChart({ figures: { periods, range, currency } }: Pick<FiguresProps, 'figures'>) {
  const segments = (period: Period, parts: typeof gains | typeof losses) =>
    parts.map(([name, color]) => ({ value: numberOf(period[name]), color }))
  const bars = periods.map((period, index) => ({
    ...labelOf(periods, index, range),
    up: segments(period, gains),
    down: segments(period, losses),
  }))
  const isMoved = bars.some(({ up, down }) => [...up, ...down].some(({ value }) => value > 0))
  return (
    <ChartBox id="mrr" label="home.mrr" text={t('home.mrrText', { currency })}>
      <AreaChart values={periods.map(({ mrr }) => numberOf(mrr))} />
      {isMoved ? <BarChart bars={bars} /> : <p className="mt-4 text-note text-soft">{t('home.noMovements')}</p>}
      {isMoved && <Legend />}
    </ChartBox>
  )
}

const Legend = () => (
  <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-note text-soft">
    {[...gains, ...losses].map(([name, color]) => (
      <span className="inline-flex items-center gap-1" key={name}>
        <svg aria-hidden="true" className="size-3" viewBox="0 0 1 1">
          <rect className={color} height="1" width="1" />
        </svg>
        {t(`home.movement.${name}`)}
      </span>
    ))}
  </p>
)

function RevenueChart({ figures: { periods, range, currency } }: Pick<FiguresProps, 'figures'>) {
  const bars: Bar[] = periods.map((period, index) => {
    const net = numberOf(period.netRevenue)
    return {
      ...labelOf(periods, index, range),
      up: [{ value: Math.max(0, net), color: 'fill-accent' }],
      down: [{ value: Math.max(0, -net), color: 'fill-wrong' }],
    }
  })
  const isSold = periods.some(({ netRevenue }) => numberOf(netRevenue) !== 0)
  return (
    <ChartBox id="revenue" label="home.netRevenue" text={t('home.netRevenueText', { currency })}>
      {isSold ? <BarChart bars={bars} /> : <p className="mt-4 text-note text-soft">{t('home.noRevenue')}</p>}
    </ChartBox>
  )
}

const ChartBox = ({
  id,
  label,
  text,
  children,
}: {
  id: string
  label: AdminKey
  text: string
  children: ReactNode
}) => (
  <section aria-labelledby={id} className="min-w-0 rounded-box border border-line bg-paper p-4">
    <h3 className="font-semibold" id={id}>
      {t(label)}
    </h3>
    <p className="text-note text-soft">{text}</p>
    {children}
  </section>
)

/** Labels every second month, every fourth week, or every seventh day. */
function labelOf(periods: readonly Period[], index: number, range: HomeFigures['range']) {
  const { from } = periods[index] ?? { from: '' }
  const every = { '30d': 7, '90d': 4, '12m': 2 }[range]
  const isLabeled = (periods.length - 1 - index) % every === 0 && index > 0
  const label = range === '12m' ? shortMonth : dayOfMonth
  return { key: from, label: isLabeled ? label(from, adminLocale()) : '' }
}

const spanOf = ({ from, to }: Period): string =>
  from === to ? day(from, adminLocale()) : days(from, to, adminLocale())

const movementsText = (period: Period): string =>
  [...gains, ...losses]
    .filter(([name]) => numberOf(period[name]) !== 0)
    .map(([name]) => `${t(`home.movement.${name}`)} ${money(period[name], adminLocale())}`)
    .join(', ')

const PeriodTable = ({ figures: { periods } }: Pick<FiguresProps, 'figures'>) => (
  <DataTable
    columns={[
      { label: 'home.period', cell: spanOf },
      { label: 'home.netRevenue', isAmount: true, cell: ({ netRevenue }) => money(netRevenue, adminLocale()) },
      { label: 'home.mrr', isAmount: true, cell: ({ mrr }) => money(mrr, adminLocale()) },
      { label: 'home.movements', cell: movementsText },
    ]}
    empty="home.noRevenue"
    keyOf={({ from }) => from}
    label={t('home.tableText')}
    rows={periods.toReversed()}
  />
)
