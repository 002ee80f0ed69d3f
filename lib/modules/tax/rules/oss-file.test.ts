import { describe, expect, it } from 'vitest'
import { isInEuVatArea } from './eu.ts'
import { inReturns, ossLayouts } from './oss-file.ts'
import type { OssRow } from './returns.ts'

const supply = (country: string, rate: string, taxable: bigint, taxAmount: bigint): OssRow => ({
  record: 'supply',
  quarter: '2026-Q1',
  country,
  rate,
  taxable,
  taxAmount,
})
const correction = (quarter: string, country: string, taxAmount: bigint): OssRow => ({
  record: 'correction',
  quarter,
  country,
  rate: null,
  taxable: null,
  taxAmount,
})

describe('Swedish file', () => {
  const sweden = ossLayouts.SE
  const file = (...rows: OssRow[]) =>
    sweden?.write({ number: 'SE556000016701', quarter: '2026-Q1', rows }).split('\r\n')
  const head = ['OSS_001;', 'SE556000016701;1;2026;']

  it.each<[string, OssRow[], string[]]>([
    ['contains only its header lines if there are no sales', [], []],
    [
      'has a line for each country and rate',
      [supply('IT', '22', 20_590n, 4_530n), supply('FR', '20', 41_500n, 8_300n)],
      ['SE;IT;22,00;205,90;45,30;SERVICES;', 'SE;FR;20,00;415,00;83,00;SERVICES;'],
    ],
    ['writes Greece as EL', [supply('GR', '24', 20_258n, 4_862n)], ['SE;EL;24,00;202,58;48,62;SERVICES;']],
    [
      'has one line for each rate of a country',
      [supply('IE', '23', 20_423n, 4_697n), supply('IE', '21', 20_579n, 4_322n)],
      ['SE;IE;23,00;204,23;46,97;SERVICES;', 'SE;IE;21,00;205,79;43,22;SERVICES;'],
    ],
    ['writes a rate with two decimals', [supply('FI', '25.5', 7n, 2n)], ['SE;FI;25,50;0,07;0,02;SERVICES;']],
    [
      'writes amounts without thousands separators',
      [supply('DE', '19', 123_456_789n, 23_456_790n)],
      ['SE;DE;19,00;1234567,89;234567,90;SERVICES;'],
    ],
    ['omits sales that were credited in the same quarter', [supply('DE', '19', 0n, 0n)], []],
    [
      'lists corrections after the word CORRECTIONS, with quarter and sign',
      [
        supply('DE', '19', 100_050n, 19_010n),
        correction('2025-Q4', 'DE', -3_800n),
        correction('2025-Q3', 'GR', -7n),
        correction('2025-Q2', 'FR', 50n),
      ],
      [
        ...['SE;DE;19,00;1000,50;190,10;SERVICES;', 'CORRECTIONS'],
        ...['2025Q4;DE;-38,00;', '2025Q3;EL;-0,07;', '2025Q2;FR;0,50;'],
      ],
    ],
    [
      'lists corrections even if there are no sales',
      [correction('2025-Q4', 'DE', -3_800n)],
      ['CORRECTIONS', '2025Q4;DE;-38,00;'],
    ],
    ['omits the word CORRECTIONS if there are no corrections', [correction('2025-Q4', 'DE', 0n)], []],
    ['omits corrections that are too late', [{ ...correction('2022-Q4', 'DE', -3_800n), record: 'too_late' }], []],
  ])('the Swedish OSS file %s', (_words, rows, lines) => {
    expect(file(...rows)).toEqual([...head, ...lines, ''])
  })

  it('the Swedish OSS file is plain ASCII text', () => {
    expect(file(supply('GR', '24', 1n, 1n), correction('2025-Q4', 'GR', -1n))?.join('\r\n')).toMatch(
      /^[\x20-\x7e\r\n]*$/,
    )
  })

  it.each([
    ['SE556000016701', 'SE556000016701'],
    ['556000016701', 'SE556000016701'],
    ['se 556000-0167 01', 'SE556000016701'],
    ['SE55600001670', null],
    ['SE5560000167011', null],
    ['NL004495445B01', null],
    ['EU372022452', null],
    ['', null],
  ])('the Swedish OSS file states the entered VAT number %j as %s', (entered, number) => {
    expect(sweden?.numberOf(entered)).toBe(number)
  })
})

it('each OSS file layout belongs to a member state', () => {
  for (const country of Object.keys(ossLayouts)) expect(isInEuVatArea(country), country).toBe(true)
})

it.each([
  ['GR', 'EL'],
  ['DE', 'DE'],
  ['GB', 'GB'],
])('the code of the country %s in EU tax returns is %s', (country, written) => {
  expect(inReturns(country)).toBe(written)
})
