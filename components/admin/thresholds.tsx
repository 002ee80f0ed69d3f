import { countryName, day, percent } from '@/components/format.ts'
import type { ThresholdPageRow, ThresholdsPage } from '@/lib/modules/tax/page.ts'
import { DataTable } from './data-table.tsx'
import { Money } from './money.tsx'
import { Heading, Tabs } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

/** The countries where the seller is near or above the threshold for a registration. */
export function Thresholds({ page: { year, isFinal, years, rows } }: { page: ThresholdsPage }) {
  const count = (asked: ThresholdPageRow['standing']) => rows.filter(({ standing }) => standing === asked).length
  const [reached, near] = [count('reached'), count('near')]
  return (
    <>
      <Heading note={t('thresholds.text')}>{t('thresholds.heading')}</Heading>
      <Tabs
        label={t('thresholds.years')}
        tabs={years.map(({ name, url }) => ({ url, text: name, isOpen: name === year }))}
      />
      <p className={`mt-4 font-semibold ${reached > 0 ? 'text-wrong' : ''}`}>
        {t('thresholds.summary', { reached, near, isFinal: String(isFinal) })}
      </p>
      <DataTable
        columns={[
          { label: 'thresholds.country', cell: ({ country }) => nameOfArea(country) },
          { label: 'thresholds.standing', cell: ({ standing }) => <Standing standing={standing} /> },
          { label: 'thresholds.sold', isAmount: true, cell: ({ sold }) => <Money amount={sold} /> },
          {
            label: 'thresholds.counted',
            isAmount: true,
            cell: ({ threshold }) => threshold && <Money amount={threshold.counted} />,
          },
          { label: 'thresholds.threshold', isAmount: true, cell: ({ threshold }) => threshold && limitOf(threshold) },
          {
            label: 'thresholds.used',
            isAmount: true,
            cell: ({ threshold }) => threshold && percent(threshold.percent, adminLocale()),
          },
          {
            label: 'thresholds.counts',
            cell: ({ threshold }) =>
              threshold && <Words>{t(`thresholds.${threshold.counts}.${threshold.within}`)}</Words>,
          },
          {
            label: 'thresholds.law',
            cell: ({ threshold }) =>
              threshold && (
                <Words>
                  {t('thresholds.lawSince', { law: threshold.law, day: day(threshold.since, adminLocale()) })}
                </Words>
              ),
          },
        ]}
        empty="thresholds.empty"
        keyOf={({ country }) => country}
        label={t('thresholds.heading')}
        rows={rows}
      />
      <p className="mt-4 text-note text-soft">{t('thresholds.unknown')}</p>
    </>
  )
}

/** The name of a country, or of the other member states together. */
export const nameOfArea = (country: string) =>
  country === 'EU' ? t('thresholds.otherMembers') : countryName(country, adminLocale())

/** A sentence in a cell, wide enough on a phone, where the table scrolls. */
const Words = ({ children }: { children: string }) => <span className="block min-w-56">{children}</span>

/** The standing in words, in bold if somebody must act or check. */
function Standing({ standing }: Pick<ThresholdPageRow, 'standing'>) {
  const text = t(`thresholds.standings.${standing}`)
  if (standing === 'reached') return <strong className="text-wrong">{text}</strong>
  return standing === 'near' ? <strong>{text}</strong> : text
}

const limitOf = ({ amount }: NonNullable<ThresholdPageRow['threshold']>) =>
  Number(amount.value) === 0 ? t('thresholds.fromFirst') : <Money amount={amount} />
