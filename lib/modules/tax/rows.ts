import type { TaxAmount } from './rules/index.ts'

/** Taxes as several tables store them: JSON with amounts as strings, because JSON's numbers are not exact. */
interface StoredTax {
  name: string
  percentage: string
  amount: string
}

export const storedTax = ({ rate, amount }: TaxAmount) => ({
  name: rate.name,
  percentage: rate.percentage,
  amount: String(amount),
})

export const toTaxes = (stored: unknown): TaxAmount[] =>
  (stored as StoredTax[]).map(({ name, percentage, amount }) => ({
    rate: { name, percentage },
    amount: BigInt(amount),
  }))
