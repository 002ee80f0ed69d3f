import { isValidBIC, isValidIBAN } from 'ibantools'

/** Functions for SEPA identifiers of creditors, mandates (EPC016-06), and accounts, and for the SEPA character set. */

/** Normalizes a creditor identifier to capitals without spaces. Null if the check digits are wrong (EPC262-08). */
export function creditorIdOf(text: string): string | null {
  const id = text.replaceAll(' ', '').toUpperCase()
  const [, country, digits, national] = /^([A-Z]{2})(\d{2})[A-Z0-9]{3}([A-Z0-9]{1,28})$/.exec(id) ?? []
  if (country === undefined || digits === undefined || national === undefined) return null
  const number = [...`${national}${country}${digits}`].map((each) => Number.parseInt(each, 36)).join('')
  return BigInt(number) % 97n === 1n ? id : null
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A reference of up to 35 capital letters and digits, because some banks ignore letter case. */
export function sepaReference(letter: string, id: string): string {
  const digits = id.slice(id.lastIndexOf('_') + 1)
  const value = [...digits].reduce((sum, digit) => sum * 62n + BigInt(base62.indexOf(digit)), 0n)
  return `${letter}${value.toString(36).toUpperCase()}`
}

export const mandateReference = (mandateId: string): string => sepaReference('M', mandateId)

/** The example creditor identifier of the Bundesbank. It has valid check digits and no owner. */
export const exampleCreditorId = 'DE98ZZZ09999999999'

export interface DirectDebit {
  /** `creditorId` is null in live mode if no creditor identifier is configured. */
  readonly creditorId: string | null
  readonly mandateReference: string
  readonly account: string
}

/**
 * SEPA countries by the country code of their IBANs. Source: EPC409-09, "List of SEPA scheme countries", May 2025.
 * IBANs of French territories begin with FR, of Finnish territories with FI, and of the Crown Dependencies with GB.
 */
export const sepaCountries: ReadonlySet<string> = new Set(
  `AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK
  SM VA`.split(/\s+/),
)

/** Normalizes an IBAN of a SEPA country. Null if its form or its check digits are wrong (ISO 13616). */
export function ibanOf(text: string): string | null {
  const iban = text.replaceAll(/[\s\p{Cf}]/gu, '').toUpperCase()
  return sepaCountries.has(iban.slice(0, 2)) && isValidIBAN(iban) ? iban : null
}

/** Normalizes a BIC. Null if its form is wrong (ISO 9362). */
export function bicOf(text: string): string | null {
  const bic = text.replaceAll(/\s/g, '').toUpperCase()
  return isValidBIC(bic) ? bic : null
}

/** Masks an IBAN so that only its owner recognizes it: `NL91****4300`. */
export const maskedIban = (iban: string): string =>
  iban.length < 12 ? '****' : `${iban.slice(0, 4)}****${iban.slice(-4)}`

/** Spellings of letters that NFKD does not decompose. */
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
  // Removes quotation marks, which company names have in some countries (`SIA "Lumen"`). Banks ignore quotation marks
  // when they compare names.
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

/** Describes the SEPA character set. The phrase can follow "with" or "of" in a sentence. */
export const sepaCharacters =
  "Latin letters (accents are dropped), digits, spaces, and / - ? : ( ) . , ' +; & becomes +, and quotation marks are dropped"

/** Converts a text to the character set of EPC217-08. Null if a letter has no spelling in this set. */
export function sepaText(text: string): string | null {
  const written = [...text.normalize('NFKD').replaceAll(/\p{M}/gu, '')].map((each) => spelled[each] ?? each).join('')
  const line = written.replaceAll(/\s+/g, ' ').trim()
  return /^[A-Za-z0-9/?:().,'+ -]*$/.test(line) ? line : null
}

/** The first character of the text that has no spelling in the SEPA character set; null if `sepaText` can convert the text. */
export const refusedSepaCharacter = (text: string): string | null =>
  [...text].find((character) => sepaText(character) === null) ?? null
