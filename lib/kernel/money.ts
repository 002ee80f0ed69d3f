/** Amounts in this file are integers in minor units (`bigint`). Each function states how it rounds. */

import type { Currency } from './currencies.ts'

export type { Currency } from './currencies.ts'

/** All supported currencies have two decimals (ISO 4217). */
const decimalsOfAll = 2

export interface Money {
  /** The amount in cents. A credit is negative. */
  readonly minor: bigint
  readonly currency: Currency
}

export interface Amount {
  value: string
  currency: Currency
}

/** Parses an amount from the API: 1 to 13 digits, a point, and two decimals, without a sign. Returns null otherwise. */
export function parseMoney(value: string, currency: Currency): Money | null {
  const [, whole, decimals] = /^(\d{1,13})\.(\d+)$/.exec(value) ?? []
  if (whole === undefined || decimals?.length !== decimalsOfAll) return null
  return { minor: BigInt(whole + decimals), currency }
}

/** Formats an amount as a decimal string, such as `12.34` or `-0.05`. */
export const formatMoney = ({ minor }: Money): string => formatDecimal(minor, decimalsOfAll)

/** An amount with its currency, such as `12.34 EUR`, for error messages and comparisons. */
export const moneyText = (money: Money): string => `${formatMoney(money)} ${money.currency}`

/** Formats `unscaled` / 10^`decimals`: 8257n and 3 give `8.257`. `decimals` is at least 1. */
export function formatDecimal(unscaled: bigint, decimals: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(decimals + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Parses a decimal exactly: `1.0850` is 10850/10000. Throws for anything except digits with at most one point between them. */
export function fraction(decimal: string): Fraction {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  if (whole === undefined) throw new RangeError(`Not a decimal: ${decimal}`)
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) }
}

/** Parses a percentage exactly: `9.975` is 9975/100000. */
export function percent(percentage: string): Fraction {
  const { numerator, denominator } = fraction(percentage)
  return { numerator, denominator: denominator * 100n }
}

export const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

/** Replaces `Math.min`, which does not accept bigint values. */
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Rounds a half away from zero, so that a credit has the same amount as its charge. */
export function divideHalfAwayFromZero(n: bigint, d: bigint): bigint {
  if (d === 0n) throw new RangeError('Division by zero')
  if (d < 0n) return divideHalfAwayFromZero(-n, -d)
  return (2n * n + (n < 0n ? -d : d)) / (2n * d)
}

/** Converts EUR cents to minor units at `rate` units per euro. Rounds a half away from zero. */
export function fromEuros(euroMinor: bigint, rate: string): bigint {
  const { numerator, denominator } = fraction(rate)
  return divideHalfAwayFromZero(euroMinor * numerator, denominator)
}

/** Converts minor units to EUR cents at `rate` units per euro. Rounds a half away from zero. */
export function toEuros(minor: bigint, rate: string): bigint {
  const { numerator, denominator } = fraction(rate)
  return divideHalfAwayFromZero(minor * denominator, numerator)
}

/**
 * Divides `total` in proportion to the weights. The parts are integers that add up to `total`, each within one unit of
 * its exact share. Units left by rounding go to the largest remainders, and on ties to the first part. If all weights
 * are zero, the first part gets the total. A zero total without weights gives []. Throws a RangeError for a negative
 * weight, and for a nonzero total without weights.
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  if (weights.some((weight) => weight < 0n)) throw new RangeError('A weight is negative')
  if (total !== 0n && weights.length === 0) throw new RangeError('There is no weight')
  const whole = sum(weights)
  if (whole === 0n && weights.length > 0) return weights.map((_, index) => (index === 0 ? total : 0n))
  return roundToTotal(
    total,
    weights.map((weight) => total * weight),
    whole,
  )
}

/**
 * Rounds the shares `numerators[i] / denominator`, positive or negative, so that they add up to `total`. Each share is
 * rounded toward zero, and the missing units go to the largest remainders, on ties to the first share. No share changes
 * its sign. `denominator` is positive. Throws a RangeError unless `total` is the exact sum of the shares rounded to the
 * nearest integer; a half may be rounded up or down.
 */
export function roundToTotal(total: bigint, numerators: readonly bigint[], denominator: bigint): bigint[] {
  const twiceTheError = 2n * (total * denominator - sum(numerators))
  if (twiceTheError > denominator || twiceTheError < -denominator) {
    throw new RangeError('The total is not the sum of the shares, rounded')
  }
  const shares = numerators.map((numerator) => numerator / denominator)
  const missing = total - sum(shares)
  const unit = missing < 0n ? -1n : 1n
  const remainders = numerators
    .map((numerator, index) => ({ index, size: (numerator % denominator) * unit }))
    .filter(({ size }) => size > 0n)
    .sort((a, b) => (a.size === b.size ? 0 : a.size < b.size ? 1 : -1))
  const raised = new Set(remainders.slice(0, Number(missing * unit)).map(({ index }) => index))
  return shares.map((share, index) => (raised.has(index) ? share + unit : share))
}

export const amount = (minor: bigint, currency: Currency): Amount => ({
  value: formatMoney({ minor, currency }),
  currency,
})
