import { decimalNumber } from './format.ts'
import type { Locale } from './locale.ts'
import { type Currency, formatMoney, type Money, parseMoney } from './money.ts'

/**
 * Parses `15`, `15,50`, `1 200,00`, or `1.200,00`. The last separator begins the decimals if one or two digits follow.
 * Null for other texts, and for ambiguous texts such as `1.200`.
 */
export function parseTypedAmount(typed: string, currency: Currency): Money | null {
  const text = typed.replace(/[\s\u00a0\u202f'’]/g, '')
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  if (!/^(\d+|\d{1,3}(\.\d{3})+|\d{1,3}(,\d{3})+)$/.test(whole) || /^\d{1,3}[.,]\d{3}$/.test(text)) return null
  return parseMoney(`${whole.replace(/[.,]/g, '')}.${decimals.padEnd(2, '0')}`, currency)
}

/** Converts an entered amount to the format of the API, such as `15.50`. Returns an invalid text unchanged. */
export function decimalOf(typed: string, currency: Currency): string {
  const money = parseTypedAmount(typed, currency)
  return money ? formatMoney(money) : typed
}

/** Writes `237.16` in the notation of a language, such as `237,16`. Returns an invalid text unchanged. */
export function amountInInput(value: string, locale: Locale): string {
  if (!/^\d+\.\d{2}$/.test(value)) return value
  const separator = decimalNumber('0.5', locale).replaceAll(/\d/g, '')
  return value.replace('.', separator)
}

/** Parses `50%` or `12,5 %` into hundredths of a percent. Null for other texts, 0 %, and more than 100 %. */
export function parseTypedShare(typed: string): bigint | null {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%$/.exec(typed.trim()) ?? []
  if (whole === undefined) return null
  const share = BigInt(whole + decimals.padEnd(2, '0'))
  return share > 0n && share <= 10_000n ? share : null
}
