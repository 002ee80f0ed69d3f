import { type Currency, type Money, parseMoney } from './money.ts'

/**
 * Parses a typed amount: `15`, `15,50`, `1 200,00`, `1.200,00`. The last separator begins the decimals if one or two
 * digits follow. Null for other texts, and for ambiguous texts such as `1.200`.
 */
export function parseTypedAmount(typed: string, currency: Currency): Money | null {
  const text = typed.replace(/[\s\u00a0\u202f'’]/g, '')
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  if (!/^(\d+|\d{1,3}(\.\d{3})+|\d{1,3}(,\d{3})+)$/.test(whole) || /^\d{1,3}[.,]\d{3}$/.test(text)) return null
  return parseMoney(`${whole.replace(/[.,]/g, '')}.${decimals.padEnd(2, '0')}`, currency)
}

/** Parses a share such as `50%` or `12,5 %` into hundredths of a percent; null for other texts, 0 %, and over 100 %. */
export function parseTypedShare(typed: string): bigint | null {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%$/.exec(typed.trim()) ?? []
  if (whole === undefined) return null
  const share = BigInt(whole + decimals.padEnd(2, '0'))
  return share > 0n && share <= 10_000n ? share : null
}
