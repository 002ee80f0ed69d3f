import { allocate, roundToTotal, sum } from '../../kernel/money.ts'
import { type Address, type Order, type Subscription, share } from './world.ts'

export interface Line {
  readonly subtotal: bigint
  readonly taxes: readonly bigint[]
}

/** 100 % in thousandths of a percent. */
const whole = 100_000n
const standardRates = { NL: [21_000n], DE: [19_000n], FR: [20_000n], CA: [5000n, 9975n] }
const sellerCountry = 'NL'

const ratesOf = ({ country, taxId }: Address): bigint[] =>
  country !== sellerCountry && taxId !== '' && taxId.startsWith(country) ? [] : standardRates[country]

type Sums = Pick<Order, 'subtotal' | 'total' | 'taxes' | 'rates' | 'lines'>

export function sumsOf(
  amounts: readonly bigint[],
  { address, inclusive }: Pick<Subscription, 'address' | 'inclusive'>,
  rates: readonly bigint[] = ratesOf(address),
): Sums {
  const lines = inclusive ? inclusiveLines(amounts, rates) : exclusiveLines(amounts, rates)
  const subtotal = sum(lines.map((line) => line.subtotal))
  const taxes = rates.map((_, rate) => sum(lines.map((line) => line.taxes[rate] ?? 0n)))
  return { subtotal, total: subtotal + sum(taxes), taxes, rates, lines }
}

function exclusiveLines(amounts: readonly bigint[], rates: readonly bigint[]): Line[] {
  const spread = rates.map((rate) => {
    const exact = amounts.map((amount) => amount * rate)
    return roundToTotal(share(sum(amounts), rate, whole), exact, whole)
  })
  return amounts.map((amount, line) => ({ subtotal: amount, taxes: spread.map((tax) => tax[line] ?? 0n) }))
}

/**
 * The tax of the order is its gross minus its net. The tax is split among the rates line by line. Running sums keep the
 * sum of the parts equal to the tax of the order.
 */
function inclusiveLines(amounts: readonly bigint[], rates: readonly bigint[]): Line[] {
  const [gross, all] = [sum(amounts), sum(rates)]
  const exact = amounts.map((amount) => amount * all)
  const taxes = roundToTotal(gross - share(gross, whole, whole + all), exact, whole + all)
  const upTo = (line: number) => allocate(sum(taxes.slice(0, line)), rates)
  return amounts.map((amount, line) => {
    const [before, after] = [upTo(line), upTo(line + 1)]
    return { subtotal: amount - (taxes[line] ?? 0n), taxes: after.map((tax, rate) => tax - (before[rate] ?? 0n)) }
  })
}
