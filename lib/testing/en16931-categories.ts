import type { ReadInvoice } from './en16931.ts'

export interface Rule {
  readonly says: string
  holds(invoice: ReadInvoice): boolean
}

type TaxRow = ReadInvoice['taxes'][number]

export const isText = (text: string | null) => text !== null && text.trim() !== ''
export const cents = (text: string | null | undefined) => Math.round(Number(text ?? Number.NaN) * 100)
export const sumOf = (texts: readonly (string | null)[]) => texts.reduce((sum, text) => sum + cents(text), 0)

export const isItsRate = ({ taxable, tax, rate }: TaxRow): boolean =>
  Math.abs(cents(String(Number(taxable) * (Number(rate ?? '0') / 100))) - cents(tax)) <= 1

interface Category {
  /** The code of the category in UNTDID 5305. */
  readonly code: string
  readonly words: string
  readonly isRate: (rate: string | null) => boolean
  /** True if the breakdown must state a reason for the exemption (`BR-..-10`), and false if it must not state one. */
  readonly exempts: boolean
  /** The ids of seller and buyer that the category requires or forbids (`BR-..-02`). */
  readonly ids: Rule
}

const isZero = (rate: string | null) => rate !== null && Number(rate) === 0
const ofSeller: Rule = { says: 'has a VAT ID of the seller', holds: ({ sellerVatIds }) => sellerVatIds.length > 0 }

const categories: readonly Category[] = [
  {
    code: 'S',
    words: 'at a standard rate',
    isRate: (rate) => Number(rate ?? '0') > 0,
    exempts: false,
    ids: ofSeller,
  },
  { code: 'Z', words: 'at zero', isRate: isZero, exempts: false, ids: ofSeller },
  {
    code: 'AE',
    words: 'with reverse charge',
    isRate: isZero,
    exempts: true,
    ids: {
      says: 'has a VAT ID of the seller, and an id of the buyer',
      holds: ({ sellerVatIds, buyerVatIds, buyerLegalIds }) =>
        sellerVatIds.length > 0 && buyerVatIds.length + buyerLegalIds.length > 0,
    },
  },
  {
    code: 'O',
    words: 'not subject to VAT',
    isRate: (rate) => rate === null,
    exempts: true,
    ids: {
      says: 'has no VAT ID',
      holds: ({ sellerVatIds, buyerVatIds }) => sellerVatIds.length + buyerVatIds.length === 0,
    },
  },
]

const linesIn = ({ lines }: ReadInvoice, code: string) => lines.filter(({ category }) => category === code)
const rowsIn = ({ taxes }: ReadInvoice, code: string) => taxes.filter(({ category }) => category === code)

/**
 * Returns the standard's rules for a tax category. The VAT breakdown of an invoice can have several rows of the
 * category `S` (standard rate), but only one row of each other category.
 */
function rulesOf({ code, words, isRate, exempts, ids }: Category): (readonly [string, Rule])[] {
  const rule = (number: string, says: string, holds: Rule['holds']) =>
    [`BR-${code}-${number}`, { says: `${words}: ${says}`, holds }] as const
  const ofRows = (test: (row: TaxRow, invoice: ReadInvoice) => boolean) => (invoice: ReadInvoice) =>
    rowsIn(invoice, code).every((row) => test(row, invoice))
  const isStandard = code === 'S'
  return [
    rule('01', isStandard ? 'is in the breakdown' : 'is in the breakdown once', (invoice) => {
      const [count, isUsed] = [rowsIn(invoice, code).length, linesIn(invoice, code).length > 0]
      return isStandard && isUsed ? count > 0 : count === (isUsed ? 1 : 0)
    }),
    rule('02', ids.says, (invoice) => linesIn(invoice, code).length === 0 || ids.holds(invoice)),
    rule('05', 'has its rate in each line', (invoice) => linesIn(invoice, code).every(({ rate }) => isRate(rate))),
    rule(
      '08',
      'is taken of the sum of its lines',
      ofRows((row, invoice) => {
        const own = linesIn(invoice, code).filter(({ rate }) => !isStandard || Number(rate) === Number(row.rate))
        return sumOf(own.map(({ net }) => net)) === cents(row.taxable)
      }),
    ),
    rule(
      '09',
      isStandard ? 'comes to its rate' : 'comes to nothing',
      ofRows((row) => (isStandard ? isItsRate(row) : cents(row.tax) === 0)),
    ),
    rule(
      '10',
      exempts ? 'has its reason' : 'has no reason for an exemption',
      ofRows(({ reasonCode, reason }) =>
        exempts ? reasonCode === `VATEX-EU-${code}` || isText(reason) : reasonCode === null && reason === null,
      ),
    ),
  ]
}

export const ofCategories: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(categories.flatMap(rulesOf)),
  'BR-O-11': {
    says: 'not subject to VAT: has no other row in the breakdown',
    holds: (invoice) => rowsIn(invoice, 'O').length === 0 || invoice.taxes.length === 1,
  },
  'BR-O-12': {
    says: 'not subject to VAT: has no line of another category',
    holds: (invoice) => rowsIn(invoice, 'O').length === 0 || linesIn(invoice, 'O').length === invoice.lines.length,
  },
}
