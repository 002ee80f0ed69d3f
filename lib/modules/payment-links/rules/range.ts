import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'

const mostQuantity = 999_999

interface Range {
  readonly quantity?: number | undefined
  readonly minQuantity?: number | null | undefined
  readonly maxQuantity?: number | null | undefined
}

interface Problem {
  readonly field: keyof Range
  readonly problem: RuleProblem
}

const together = ruleProblem('range_together')
const isQuantity = (value: number) => value >= 1 && value <= mostQuantity

/**
 * Returns the problem of a range of quantities. Returns null if a number is outside the limits of the schema, because
 * the schema reports this number.
 */
export function rangeProblem({ quantity, minQuantity: min, maxQuantity: max }: Range): Problem | null {
  if (min == null && max == null) return null
  if (min == null) return { field: 'minQuantity', problem: together }
  if (max == null) return { field: 'maxQuantity', problem: together }
  if (![min, max, quantity ?? min].every(isQuantity)) return null
  if (max <= min) return { field: 'maxQuantity', problem: ruleProblem('range_maximum') }
  const isWithin = quantity === undefined || (quantity >= min && quantity <= max)
  return isWithin ? null : { field: 'quantity', problem: ruleProblem('range_quantity') }
}
