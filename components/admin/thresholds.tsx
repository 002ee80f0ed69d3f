import { countryName, day, listText, percent } from '@/components/format.ts'
import type { ThresholdPageRow, ThresholdsPage } from '@/lib/modules/tax/page.ts'
import { DataTable } from './data-table.tsx'
import { Money } from './money.tsx'
import { Heading, Tabs } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

type Threshold = NonNullable<ThresholdPageRow['threshold']>

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
                  {t('thresholds.lawSince', { law: lawText(threshold.law), day: day(threshold.since, adminLocale()) })}
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

/** The name of a country. `EU` stands for all member states except the seller's. */
export const nameOfArea = (country: string) =>
  country === 'EU' ? t('thresholds.otherMembers') : countryName(country, adminLocale())

const Words = ({ children }: { children: string }) => (
  <span className="block wide:min-w-32 hyphens-auto wrap-anywhere">{children}</span>
)

/**
 * Translates the title of the VAT directive, which has a title in each language. The titles of national laws are not
 * translated.
 */
const lawText = (law: Threshold['law']): string =>
  'national' in law
    ? law.national
    : t('thresholds.vatDirective', { articles: listText(law.vatDirective, adminLocale()) })

/** The text is bold if an operator must act or check. */
function Standing({ standing }: Pick<ThresholdPageRow, 'standing'>) {
  const text = t(`thresholds.standings.${standing}`)
  if (standing === 'reached') return <strong className="text-wrong">{text}</strong>
  return standing === 'near' ? <strong>{text}</strong> : text
}

const limitOf = ({ amount }: Threshold) =>
  Number(amount.value) === 0 ? t('thresholds.fromFirst') : <Money amount={amount} />
