import { isValidBIC, isValidIBAN } from 'ibantools'

/** SEPA identifiers of creditors, mandates (EPC016-06, the direct debit rulebook) and accounts, and SEPA texts. */

/** A creditor identifier in capitals without spaces; null if its check digits are wrong (EPC262-08). */
export function creditorIdOf(text: string): string | null {
  const id = text.replaceAll(' ', '').toUpperCase()
  const [, country, digits, national] = /^([A-Z]{2})(\d{2})[A-Z0-9]{3}([A-Z0-9]{1,28})$/.exec(id) ?? []
  if (country === undefined || digits === undefined || national === undefined) return null
  const number = [...`${national}${country}${digits}`].map((each) => Number.parseInt(each, 36)).join('')
  return BigInt(number) % 97n === 1n ? id : null
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A reference for banks: at most 35 characters of the SEPA set, the same whether a bank keeps capitals or not. */
export function sepaReference(letter: string, id: string): string {
  const digits = id.slice(id.lastIndexOf('_') + 1)
  const value = [...digits].reduce((sum, digit) => sum * 62n + BigInt(base62.indexOf(digit)), 0n)
  return `${letter}${value.toString(36).toUpperCase()}`
}

export const mandateReference = (mandateId: string): string => sepaReference('M', mandateId)

/** The example identifier in the Bundesbank's documents: its check digits are valid, and nobody owns it. */
export const exampleCreditorId = 'DE98ZZZ09999999999'

export interface DirectDebit {
  /** Null in live mode where none is configured. */
  readonly creditorId: string | null
  readonly mandateReference: string
  readonly account: string
}

/**
 * The countries of SEPA by the code of their IBANs (ISO 3166-1 alpha-2): EPC409-09, "List of SEPA scheme countries",
 * May 2025. Territories of France and Finland, and the Crown Dependencies, have IBANs of FR, FI and GB.
 */
export const sepaCountries: ReadonlySet<string> = new Set(
  `AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK
  SM VA`.split(/\s+/),
)

/** An IBAN of a country of SEPA, without spaces and invisible characters, and in capitals; null if its form or its check digits are wrong (ISO 13616). */
export function ibanOf(text: string): string | null {
  const iban = text.replaceAll(/[\s\p{Cf}]/gu, '').toUpperCase()
  return sepaCountries.has(iban.slice(0, 2)) && isValidIBAN(iban) ? iban : null
}

/** A BIC without spaces and in capitals; null if it has another form (ISO 9362). */
export function bicOf(text: string): string | null {
  const bic = text.replaceAll(/\s/g, '').toUpperCase()
  return isValidBIC(bic) ? bic : null
}

/** A masked IBAN that its owner recognizes: `NL91****4300`. */
export const maskedIban = (iban: string): string =>
  iban.length < 12 ? '****' : `${iban.slice(0, 4)}****${iban.slice(-4)}`

/** Letters that have no base letter in Unicode's decompositions. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  '&': '+',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  _: '-',
  '@': '(at)',
  // Some countries put company names in quotation marks (`SIA "Lumen"`); a bank finds the name without them.
  '"': '',
  '“': '',
  '”': '',
  '„': '',
  '‟': '',
  '«': '',
  '»': '',
  '‹': '',
  '›': '',
  '′': "'",
  '‚': "'",
  '‛': "'",
  '`': "'",
  ';': ',',
}

/** The characters that `sepaText` accepts, as words that follow "with" or "of" in a sentence. */
export const sepaCharacters =
  "Latin letters (accents are dropped), digits, spaces, and / - ? : ( ) . , ' +; & becomes +, and quotation marks are dropped"

/**
 * A text in the characters of EPC217-08, without accents and quotation marks. Null if a letter has no spelling there.
 */
export function sepaText(text: string): string | null {
  const written = [...text.normalize('NFKD').replaceAll(/\p{M}/gu, '')].map((each) => spelled[each] ?? each).join('')
  const line = written.replaceAll(/\s+/g, ' ').trim()
  return /^[A-Za-z0-9/?:().,'+ -]*$/.test(line) ? line : null
}
