import { formatDecimal } from '../../../kernel/money.ts'
import type { OssRow } from './returns.ts'
import { canonicalTaxId } from './vat-id.ts'

interface OssReturn {
  readonly number: string
  readonly quarter: string
  readonly rows: readonly OssRow[]
}

interface OssLayout {
  /** The form of the registration number: the prefix, and the number of digits after the prefix. */
  readonly number: { readonly prefix: string; readonly digits: number }
  numberOf(entered: string): string | null
  write(of: OssReturn): string
}

/**
 * The file of a One Stop Shop return for Sweden. Each field ends with a semicolon, and each line with CR LF. Decimals have a comma, and amounts are in euros.
 *
 * - The first line has the name of the format.
 * - The second line has the seller's number, the quarter, and the year.
 * - Each supply line has the country of supply, the country of consumption, the rate, the taxable amount, the tax, and the kind.
 * - After the word CORRECTIONS, each line has the corrected quarter, the country, and the tax.
 *
 * Lines of zero are omitted. The country of supply is Sweden, because the seller has no other fixed establishment. Source: Skatteverket, Teknisk beskrivning
 * One Stop Shop, 2021, as published by occidens.se (1 June 2021).
 */
const sweden: OssLayout = {
  number: { prefix: 'SE', digits: 12 },
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

/** The layouts by the country of the seller's registration. A new country needs a layout and a text that describes the layout. */
export const ossLayouts: Readonly<Record<string, OssLayout>> = { SE: sweden }

/** In EU tax returns, the code of Greece is EL. */
export const inReturns = (country: string): string => (country === 'GR' ? 'EL' : country)

const cents = (minor: bigint): string => formatDecimal(minor, 2).replace('.', ',')

function percentage(rate: string): string {
  const [whole, decimals = ''] = rate.split('.')
  return `${whole},${decimals.padEnd(2, '0')}`
}
