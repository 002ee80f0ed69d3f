import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ThresholdPageRow, ThresholdsPage } from '@/lib/modules/tax/page.ts'
import { standings } from '@/lib/modules/tax/rules/index.ts'
import { Thresholds } from './thresholds.tsx'

const eur = (value: string) => ({ value, currency: 'EUR' }) as const
const threshold: ThresholdPageRow['threshold'] & object = {
  amount: eur('10000.00'),
  counted: eur('8000.00'),
  percent: 80,
  counts: 'sales_there',
  within: 'calendar_year',
  since: '2021-07-01',
  law: { vatDirective: ['59c(1)'] },
}
const row = (country: string, given: Partial<ThresholdPageRow>): ThresholdPageRow => ({
  country,
  sold: eur('8000.00'),
  standing: 'below',
  threshold,
  ...given,
})

function textOf(rows: ThresholdPageRow[], more: Partial<ThresholdsPage> = {}): string {
  const page = {
    year: '2026',
    isFinal: false,
    years: [{ name: '2026', url: '/admin/thresholds?year=2026' }],
    rows,
    ...more,
  }
  return renderToStaticMarkup(<Thresholds page={page} />).replaceAll(/<[^>]*>/g, ' ')
}

it('the page of tax thresholds counts the thresholds that are reached or near, and states the status of each country', () => {
  const text = textOf([row('GB', { standing: 'reached' }), row('EU', { standing: 'near' }), row('NO', {})])
  expect(text).toMatch(/1 threshold is reached without a registration, and 1 is near so far\./)
  expect(text).toMatch(/United Kingdom\s+Reached: register/)
  expect(text).toMatch(/European Union, other member states\s+Near: 80% or more\s.*80%/)
  expect(text).toMatch(/Norway\s+Below 80%/)
})

it.each(standings)(
  'the text for the threshold status %s depends on whether the country has a tax threshold',
  (standing) => {
    expect(textOf([row('NO', { standing })])).not.toBe(textOf([row('NO', { standing, threshold: null })]))
  },
)

it.each([
  [{ vatDirective: ['59c(1)'] }, 'Directive 2006/112/EC, art. 59c(1)'],
  [{ vatDirective: ['58', '359'] }, 'Directive 2006/112/EC, art. 58 and 359'],
  [{ national: 'Excise Tax Act, s. 211.12' }, 'Excise Tax Act, s. 211.12'],
] as const)('the law %j of a tax threshold is shown as %s', (law, shown) => {
  expect(textOf([row('NO', { threshold: { ...threshold, law } })])).toContain(shown)
})

it('the page of tax thresholds for a past year does not say "so far"', () => {
  expect(textOf([row('NO', {})], { isFinal: true })).toContain('No threshold is reached without a registration.')
})

it.each(['calendar_year', 'twelve_months'] as const)(
  'the page of tax thresholds states that a threshold applies to the sales of the period "%s"',
  (within) => {
    for (const counts of ['worldwide', 'sales_there'] as const)
      expect(textOf([row('CH', { threshold: { ...threshold, counts, within } })])).toContain(
        within === 'calendar_year' ? 'in a calendar year' : 'twelve months',
      )
  },
)
