import { invalid } from '../kernel/refusal.ts'
import { ruleProblem } from '../kernel/rule-problem.ts'

/*
 * An action form contains `terms`: the version of the effect that the page showed. The action locks the record and computes the effect again. A changed effect
 * is refused, so the charge, change, or write-off is exactly what the person has read.
 */

export const changedMeanwhile = ruleProblem('changed_meanwhile')

export const stale = () => invalid('terms', changedMeanwhile)
