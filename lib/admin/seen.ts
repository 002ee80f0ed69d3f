import { invalid } from '../kernel/refusal.ts'
import { ruleProblem } from '../kernel/rule-problem.ts'

/*
 * An action form contains `terms`: a hash of the action's effect, as shown on the page. Before the action runs, the
 * service locks the record and computes the effect again. If the effect has changed, the service refuses the action.
 * The charge, change, or write-off is therefore exactly what the person has read.
 */

export const changedMeanwhile = ruleProblem('changed_meanwhile')

export const stale = () => invalid('terms', changedMeanwhile)
