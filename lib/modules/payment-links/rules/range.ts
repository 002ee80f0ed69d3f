const mostQuantity = 999_999

interface Range {
  readonly quantity?: number | undefined
  readonly minQuantity?: number | null | undefined
  readonly maxQuantity?: number | null | undefined
}

interface Problem {
  readonly field: keyof Range
  readonly message: string
}

const together = 'Send minQuantity and maxQuantity, or neither.'
const isQuantity = (value: number) => value >= 1 && value <= mostQuantity

/** A number outside the limits has its own problem. */
export function rangeProblem({ quantity, minQuantity: min, maxQuantity: max }: Range): Problem | null {
  if (min == null && max == null) return null
  if (min == null) return { field: 'minQuantity', message: together }
  if (max == null) return { field: 'maxQuantity', message: together }
  if (![min, max, quantity ?? min].every(isQuantity)) return null
  if (max <= min) return { field: 'maxQuantity', message: 'Must be greater than minQuantity.' }
  const isWithin = quantity === undefined || (quantity >= min && quantity <= max)
  return isWithin ? null : { field: 'quantity', message: 'Must be from minQuantity to maxQuantity.' }
}
