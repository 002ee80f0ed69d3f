import { formatDecimal } from '../../../kernel/money.ts'
import type { OssRow } from './returns.ts'
import { canonicalTaxId } from './vat-id.ts'

/** What a file for the portal of a member state says. */
interface OssReturn {
  /** The seller's, as `numberOf` gives it. */
  readonly number: string
  /** Such as `2026-Q4`. */
  readonly quarter: string
  readonly rows: readonly OssRow[]
}

interface OssLayout {
  /** What the portal takes as the seller's number, in words. */
  readonly number: string
  /** The seller's number as the portal takes it; null if it is none. */
  numberOf(entered: string): string | null
  /** The whole file. Rows that the return no longer takes (`too_late`) are not in it. */
  write(of: OssReturn): string
}

/**
 * Sweden: a text file with semicolons after all fields, decimal commas, and lines that end with CR LF. After the name of the format and the line
 * of the return (number, quarter, year) comes a line for each country and rate: the country of the supply, that of the consumption, rate,
 * taxable amount, tax, kind. After the word CORRECTIONS, each with the quarter that it corrects, country and tax.
 * Skatteverket, Teknisk beskrivning One Stop Shop, 2021, as it is given by occidens.se (1 June 2021). Amounts are euros. What
 * comes to nothing has no line. We have no fixed establishments: all is supplied from Sweden.
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

/** By the country of the seller's registration with the One Stop Shop. Adding one is adding its layout, with the text that describes it. */
export const ossLayouts: Readonly<Record<string, OssLayout>> = { SE: sweden }

/** Returns of the EU write EL for Greece. */
export const inReturns = (country: string): string => (country === 'GR' ? 'EL' : country)

/** Minor units of a euro: `-1234,50`. */
const cents = (minor: bigint): string => formatDecimal(minor, 2).replace('.', ',')

/** `25.5` as `25,50`. */
function percentage(rate: string): string {
  const [whole, decimals = ''] = rate.split('.')
  return `${whole},${decimals.padEnd(2, '0')}`
}
