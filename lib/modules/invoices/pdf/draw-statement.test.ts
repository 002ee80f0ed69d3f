import { expect, it } from 'vitest'
import { pagesOfPdf, withoutSpaces } from '../../../testing/pdf-text.ts'
import type { StatementDocument } from '../../ledger/page.ts'
import { drawStatement } from './draw-statement.ts'

const statement: StatementDocument = {
  locale: 'en',
  madeAt: '2027-01-01T00:00:00Z',
  title: 'Statement 2026-12',
  heading: 'Statement',
  test: { band: 'Test mode: no real money', note: 'This is not a real statement.' },
  facts: [{ label: 'Period', value: '2026-12' }],
  parties: [
    { heading: 'By', name: 'Billhook Demo Seller B.V.', lines: ['Keizersgracht 1', '1015 CN Amsterdam'] },
    { heading: 'For', name: 'Lumen Software', lines: ['storefront_1'] },
  ],
  tables: ['EUR', 'USD'].map((heading) => ({
    heading,
    columns: ['Item', 'Number', 'Buyers', 'Tax', 'Fees', 'Balance'],
    rows: [
      { cells: ['Owed before', '', '', '', '', '€0.00'], isSum: true },
      { cells: ['Sales', '3', '€363.00', '€-63.00', '€-16.50', '€283.50'], isSum: false },
      { cells: ['Payouts', '1', '', '', '', '€-100.00'], isSum: false },
      { cells: ['Owed after', '', '', '', '', '€183.50'], isSum: true },
    ],
  })),
  closing: ['Each line adds up.'],
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn)

it('the PDF of a statement contains every word and figure of the statement, and has the same bytes each time', async () => {
  const bytes = await drawStatement(statement)
  const pages = await pagesOfPdf(bytes)
  expect(pages).toHaveLength(1)
  const { locale: _, madeAt: __, title: ___, ...said } = statement
  for (const text of textsIn(said)) expect(pages[0]).toContain(withoutSpaces(text))
  expect(pages[0]).toContain(withoutSpaces('Sales 3 €363.00 €-63.00 €-16.50 €283.50'))
  expect(await drawStatement(statement)).toEqual(bytes)
})

it('a currency table starts on the next page if it does not fit on the page', async () => {
  const tables = Array.from({ length: 9 }, (_, index) => ({ ...statement.tables[0], heading: `currency-${index}` }))
  const pages = await pagesOfPdf(await drawStatement({ ...statement, tables: tables as StatementDocument['tables'] }))
  expect(pages.length).toBeGreaterThan(1)
  for (const page of pages) {
    const count = (text: string) => page.split(text).length - 1
    expect(count('currency-')).toBe(count('Owedafter'))
  }
  expect(pages[1]).toContain(withoutSpaces('Statement 2026-12 · 2/'))
})
