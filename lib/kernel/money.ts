/** Exact money: integers of minor units, never a `number`. Every rounding function states its rule. */

import type { Currency } from './currencies.ts'

export type { Currency } from './currencies.ts'

/** Digits after the decimal point, of all currencies here (ISO 4217). */
const decimalsOfAll = 2

export interface Money {
  /** Cents. Negative for credits. */
  readonly minor: bigint
  readonly currency: Currency
}

export interface Amount {
  value: string
  currency: Currency
}

/** Parses an API client's amount: 1 to 13 digits, a point, exactly the currency's decimals, no sign. Else null. */
export function parseMoney(value: string, currency: Currency): Money | null {
  const [, whole, decimals] = /^(\d{1,13})\.(\d+)$/.exec(value) ?? []
  if (whole === undefined || decimals?.length !== decimalsOfAll) return null
  return { minor: BigInt(whole + decimals), currency }
}

/** `12.34`, `-0.05`: always with the decimals of the currency. */
export const formatMoney = ({ minor }: Money): string => formatDecimal(minor, decimalsOfAll)

/** `unscaled` / 10^`decimals` as text with all its decimals: 8257n and 3 are `8.257`. `decimals` is 1 or more. */
export function formatDecimal(unscaled: bigint, decimals: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(decimals + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Parses a decimal from our own tables exactly: `1.0850` is 10850/10000. Throws on anything but digits and a point. */
export function fraction(decimal: string): Fraction {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  if (whole === undefined) throw new RangeError(`Not a decimal: ${decimal}`)
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) }
}

/** A percentage as an exact fraction: `9.975` is 9975/100000. */
export function percent(percentage: string): Fraction {
  const { numerator, denominator } = fraction(percentage)
  return { numerator, denominator: denominator * 100n }
}

export const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

/** Math.min takes no bigint. */
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The integer nearest to n/d. A half rounds away from zero, so that a credit mirrors its charge to the cent. */
export function divideHalfAwayFromZero(n: bigint, d: bigint): bigint {
  if (d === 0n) throw new RangeError('Division by zero')
  if (d < 0n) return divideHalfAwayFromZero(-n, -d)
  return (2n * n + (n < 0n ? -d : d)) / (2n * d)
}

/** EUR cents in another currency's minor units, at its units for one euro, a decimal. A half goes away from zero. */
export function fromEuros(euroMinor: bigint, rate: string): bigint {
  const { numerator, denominator } = fraction(rate)
  return divideHalfAwayFromZero(euroMinor * numerator, denominator)
}

/** Minor units of a currency in EUR cents, at its units for one euro, a decimal. A half goes away from zero. */
export function toEuros(minor: bigint, rate: string): bigint {
  const { numerator, denominator } = fraction(rate)
  return divideHalfAwayFromZero(minor * denominator, numerator)
}

/**
 * Divides `total`, in whole units, by the weights, none of which is negative. The parts always add up to the total, and
 * each is within one unit of its exact share. The units left over by rounding go to the largest remainders, on ties to
 * the first. If all weights are zero, the first part takes the whole. A zero total without weights gives [].
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  if (weights.some((weight) => weight < 0n)) throw new RangeError('A weight is negative')
  const whole = sum(weights)
  if (whole === 0n && weights.length > 0) return weights.map((_, index) => (index === 0 ? total : 0n))
  return roundToTotal(
    total,
    weights.map((weight) => total * weight),
    whole,
  )
}

/**
 * Rounds the exact shares `numerators[i] / denominator`, of either sign, so that they add up to `total`: each is cut
 * towards zero, then the missing units go to the largest remainders, on ties to the first. No share changes its sign,
 * and negated input gives the negated result. `total` must be the exact sum rounded (up or down), else RangeError.
 */
export function roundToTotal(total: bigint, numerators: readonly bigint[], denominator: bigint): bigint[] {
  const shares = numerators.map((numerator) => numerator / denominator)
  const missing = total - sum(shares)
  const unit = missing < 0n ? -1n : 1n
  const remainders = numerators
    .map((numerator, index) => ({ index, size: (numerator % denominator) * unit }))
    .filter(({ size }) => size > 0n)
    .sort((a, b) => (a.size === b.size ? 0 : a.size < b.size ? 1 : -1))
  if (missing * unit > remainders.length) throw new RangeError('The total is not the sum of the shares, rounded')
  const raised = new Set(remainders.slice(0, Number(missing * unit)).map(({ index }) => index))
  return shares.map((share, index) => (raised.has(index) ? share + unit : share))
}

export const amount = (minor: bigint, currency: Currency): Amount => ({
  value: formatMoney({ minor, currency }),
  currency,
})
