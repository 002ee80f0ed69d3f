import { countryName, plainDays } from '@/components/format.ts'
import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { TaxReportPage } from '@/lib/modules/tax/page.ts'
import { DataTable } from './data-table.tsx'
import { Money } from './money.tsx'
import { Heading, Section, Tabs } from './page-parts.tsx'
import { periodName } from './period-name.ts'
import { rateText } from './taxes.tsx'
import { adminLocale, adminText as t } from './text.ts'

export function TaxReport({ page, path }: { page: TaxReportPage; path: string }) {
  const { period, rows, exports } = page
  const tab = ({ name, url }: { name: string; url: string }) => ({
    url,
    text: periodName(name),
    isOpen: name === period,
  })
  return (
    <>
      {page.againUrl && (
        <p className="mb-4 rounded-box border border-wrong bg-wrong-tint p-3" role="alert">
          {t('taxReport.busy')}{' '}
          <a className="text-accent underline underline-offset-2" href={page.againUrl}>
            {t('taxReport.again')}
          </a>
        </p>
      )}
      <Heading note={plainDays(page.from, page.to, adminLocale())}>{t('storefront.nav.tax-report')}</Heading>
      <p className="mt-2 max-w-2xl text-soft">{t('taxReport.seller', { seller: page.seller })}</p>
      <Tabs label={t('taxReport.quarters')} tabs={page.quarters.map(tab)} />
      <Tabs label={t('taxReport.months')} tabs={page.months.map(tab)} />
      {exports && (
        <div className="mt-4 flex flex-wrap gap-4">
          <Download text={t('taxReport.download')} url={exports.report} />
          <Download text={t('taxReport.documents')} url={exports.documents} />
        </div>
      )}
      {!page.isFinal && <p className="mt-4 text-soft">{t('balance.statement.provisional')}</p>}
      {!page.againUrl && (
        <DataTable
          columns={[
            {
              label: 'taxReport.country',
              cell: ({ country, rates, kind }) => (
                <>
                  <span className="block">{countryName(country, adminLocale())}</span>
                  <span className="block font-normal text-note text-soft">
                    {kind === 'reverse_charge' ? t('taxReport.reverseCharge') : rates.map(rateText).join(' + ')}
                  </span>
                </>
              ),
            },
            { label: 'taxReport.sales', isAmount: true, cell: ({ sales }) => <Money amount={sales.net} /> },
            { label: 'taxReport.credited', isAmount: true, cell: ({ credited }) => <Money amount={credited.net} /> },
            { label: 'taxReport.net', isAmount: true, cell: ({ total }) => <Money amount={total.net} /> },
            { label: 'taxReport.tax', isAmount: true, cell: ({ total }) => <Money amount={total.tax} /> },
            { label: 'taxReport.gross', isAmount: true, cell: ({ total }) => <Money amount={total.gross} /> },
          ]}
          empty="taxReport.empty"
          keyOf={({ currency, country, kind, rates }) => [currency, country, kind, ...rates.map(rateText)].join(' ')}
          label={t('storefront.nav.tax-report')}
          rows={rows}
        />
      )}
      {page.totals.length > 0 && <Totals page={page} />}
      <Section id="days" label="taxReport.days">
        <form action={`${path}/tax-report`} className="mt-2 flex max-w-xl flex-wrap items-end gap-4" method="get">
          <Field defaultValue={page.from} label={t('taxReport.from')} name="from" required type="date" />
          <Field
            defaultValue={page.to}
            error={page.problem ? t('taxReport.problem') : undefined}
            label={t('taxReport.until')}
            name="to"
            required
            type="date"
          />
          <button className={secondaryButton} type="submit">
            {t('taxReport.show')}
          </button>
        </form>
      </Section>
      {exports && exports.lists.length > 0 && (
        <Section id="lists" label="taxReport.lists">
          <p className="mt-2 max-w-2xl text-note text-soft">{t('taxReport.listsText')}</p>
          <ul className="mt-2">
            {exports.lists.map(({ list, url }) => (
              <li key={list}>
                <form action={url} method="post">
                  <button className={linkButton} type="submit">
                    {t(`taxReport.list.${list}`)}
                  </button>
                </form>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

const Download = ({ url, text }: { url: string; text: string }) => (
  <form action={url} method="post">
    <button className={secondaryButton} type="submit">
      {text}
    </button>
  </form>
)

const Totals = ({ page: { totals, statements } }: { page: TaxReportPage }) => (
  <Section id="totals" label="taxReport.totals">
    <DataTable
      columns={[
        { label: 'balance.currency', cell: ({ currency }) => currency },
        { label: 'taxReport.net', isAmount: true, cell: ({ total }) => <Money amount={total.net} /> },
        { label: 'taxReport.tax', isAmount: true, cell: ({ total }) => <Money amount={total.tax} /> },
        { label: 'taxReport.gross', isAmount: true, cell: ({ total }) => <Money amount={total.gross} /> },
        {
          label: 'taxReport.ledgerTax',
          isAmount: true,
          cell: ({ ledgerTax, isEqual }) => (
            <span className={isEqual ? '' : 'text-wrong'}>
              <Money amount={ledgerTax} />
            </span>
          ),
        },
      ]}
      empty="taxReport.empty"
      keyOf={({ currency }) => currency}
      label={t('taxReport.totals')}
      rows={totals}
    />
    {totals.some(({ isEqual }) => !isEqual) && <p className="mt-2 text-wrong">{t('taxReport.differs')}</p>}
    {statements.length > 0 && (
      <p className="mt-2 flex flex-wrap gap-x-5">
        {statements.map(({ month, url }) => (
          <a className="inline-block min-h-6 text-accent underline underline-offset-2" href={url} key={month}>
            {t('balance.statement.title', { period: periodName(month) })}
          </a>
        ))}
      </p>
    )}
  </Section>
)
