import type { ReactNode } from 'react'
import { countryName } from '@/components/format.ts'
import type { HomeFigures } from '@/lib/modules/figures/page.ts'
import { Money } from './money.tsx'
import { type AdminKey, adminLocale, adminText as t } from './text.ts'

export function FigureLists({ figures: { plans, countries, cancellations } }: { figures: HomeFigures }) {
  return (
    <div className="mt-4 grid items-start gap-4 wide:grid-cols-3">
      <List
        empty="home.noPlans"
        entries={plans.map(({ name, url, mrr }) => ({
          key: url ?? name,
          name: url === null ? name : <a href={url}>{name}</a>,
          value: <Money amount={mrr} />,
        }))}
        id="plans"
        label="home.plans"
      />
      <List
        empty="home.noCountries"
        entries={countries.map(({ country, netRevenue }) => ({
          key: country,
          name: country === '' ? t('home.unknownCountry') : countryName(country, adminLocale()),
          value: <Money amount={netRevenue} />,
        }))}
        id="countries"
        label="home.countries"
      />
      <List
        empty="home.noCancellations"
        entries={cancellations.map(({ reason, count }) => ({ key: reason, name: reasonText(reason), value: count }))}
        id="cancellations"
        label="home.cancellations"
      />
    </div>
  )
}

const knownReasons = [
  ...(['too_expensive', 'not_used', 'missing_features', 'switched'] as const),
  ...(['payment_failure', 'merchant_request', 'customer_request'] as const),
]
const reasonText = (reason: string): string =>
  t(`home.reasons.${knownReasons.find((each) => each === reason) ?? 'other'}`)

interface ListProps {
  id: string
  label: AdminKey
  empty: AdminKey
  entries: readonly { readonly key: string; readonly name: ReactNode; readonly value: ReactNode }[]
}

const List = ({ id, label, empty, entries }: ListProps) => (
  <section aria-labelledby={id} className="min-w-0 rounded-box border border-line bg-paper p-4">
    <h3 className="font-semibold" id={id}>
      {t(label)}
    </h3>
    {entries.length === 0 ? (
      <p className="mt-2 text-note text-soft">{t(empty)}</p>
    ) : (
      <dl className="mt-2">
        {entries.map(({ key, name, value }) => (
          <div className="flex min-h-8 items-center justify-between gap-4" key={key}>
            <dt className="min-w-0 wrap-anywhere">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    )}
  </section>
)
