/** Identifiers of SEPA Direct Debit (EPC016-06, the rulebook of the core scheme). */

/**
 * A creditor identifier without spaces, in capitals; null if its check digits are wrong (EPC262-08): country, two check
 * digits, a business code that they do not cover, and the national identifier.
 */
export function creditorIdOf(text: string): string | null {
  const id = text.replaceAll(' ', '').toUpperCase()
  const [, country, digits, national] = /^([A-Z]{2})(\d{2})[A-Z0-9]{3}([A-Z0-9]{1,28})$/.exec(id) ?? []
  if (country === undefined || digits === undefined || national === undefined) return null
  const number = [...`${national}${country}${digits}`].map((each) => Number.parseInt(each, 36)).join('')
  return BigInt(number) % 97n === 1n ? id : null
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * The unique mandate reference of one of our mandates, derived from its id: at most 35 characters of the SEPA set, and the
 * same whether a bank keeps capitals or not.
 */
export function mandateReference(mandateId: string): string {
  const digits = mandateId.slice(mandateId.lastIndexOf('_') + 1)
  const value = [...digits].reduce((sum, digit) => sum * 62n + BigInt(base62.indexOf(digit)), 0n)
  return `M${value.toString(36).toUpperCase()}`
}

/** An identifier with valid check digits that belongs to nobody: the one of the Bundesbank's documents. */
export const exampleCreditorId = 'DE98ZZZ09999999999'

/** What identifies the direct debits of a mandate to its payer. */
export interface DirectDebit {
  /** Null in live mode where none is configured. */
  readonly creditorId: string | null
  readonly mandateReference: string
  /** The account, with most of it masked. */
  readonly account: string
}
