import { formatDecimal } from '../../../kernel/money.ts'
import type { OssRow } from './returns.ts'
import { canonicalTaxId } from './vat-id.ts'

interface OssReturn {
  readonly number: string
  /** Such as `2026-Q4`. */
  readonly quarter: string
  readonly rows: readonly OssRow[]
}

interface OssLayout {
  readonly number: string
  /** Null if the input is not a number of the seller. */
  numberOf(entered: string): string | null
  /** Excludes rows that are too late for the return (`too_late`). */
  write(of: OssReturn): string
}

/**
 * Sweden: a text file with semicolons after all fields, decimal commas, and CR LF. First the name of the format and the
 * return (number, quarter, year). Then a line for each country and rate: country of supply, country of consumption,
 * rate, taxable amount, tax, kind. After the word CORRECTIONS each line has the corrected quarter, the country, and the
 * tax. Source: Skatteverket, Teknisk beskrivning One Stop Shop, 2021, as published by occidens.se (1 June 2021).
 * Amounts are euros. A line of zero is left out. We have no fixed establishments: all is supplied from Sweden.
 */
const sweden: OssLayout = {
  number: 'SE and twelve digits',
  numberOf(entered) {
    const [, digits] = /^(?:SE)?(\d{12})$/.exec(canonicalTaxId(entered)) ?? []
    return digits === undefined ? null : `SE${digits}`
  },
  write({ number, quarter, rows }) {
    const [year, ofYear] = quarter.split('-Q')
    const supplies = rows.filter(({ record, taxable, taxAmount }) => record === 'supply' && (taxable || taxAmount))
    const corrections = rows.filter(({ record, taxAmount }) => record === 'correction' && taxAmount)
    return [
      ['OSS_001'],
      [number, ofYear, year],
      ...supplies.map(({ country, rate, taxable, taxAmount }) => [
        ...['SE', inReturns(country), percentage(rate ?? '0'), cents(taxable ?? 0n), cents(taxAmount), 'SERVICES'],
      ]),
      ...(corrections.length > 0 ? [null] : []),
      ...corrections.map(({ quarter: of, country, taxAmount }) => [
        ...[of.replace('-', ''), inReturns(country), cents(taxAmount)],
      ]),
    ]
      .map((cells) => (cells === null ? 'CORRECTIONS\r\n' : `${cells.join(';')};\r\n`))
      .join('')
  },
}

/** By the country of the seller's registration. A new country needs its layout and a text that describes the layout. */
export const ossLayouts: Readonly<Record<string, OssLayout>> = { SE: sweden }

/** The country code in EU returns, where Greece is EL. */
export const inReturns = (country: string): string => (country === 'GR' ? 'EL' : country)

/** Minor units of a euro: `-1234,50`. */
const cents = (minor: bigint): string => formatDecimal(minor, 2).replace('.', ',')

/** `25.5` as `25,50`. */
function percentage(rate: string): string {
  const [whole, decimals = ''] = rate.split('.')
  return `${whole},${decimals.padEnd(2, '0')}`
}
