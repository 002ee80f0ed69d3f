import { toWire } from './moment.ts'
import type { Amount } from './money.ts'
import { ruleTexts } from './rule-texts.ts'

export type Rule = keyof typeof ruleTexts

/** A number with two decimals, such as `999999.99`, without a currency. */
interface Decimal {
  readonly decimal: string
}

/** A day such as `2026-11-23`. */
interface Day {
  readonly day: string
}

export type RuleValue = string | number | Date | Amount | Decimal | Day | RuleProblem | readonly RuleProblem[]
export type RuleValues = Readonly<Record<string, RuleValue>>

/** A violated rule, with the values that its sentence states. The API responds with the English sentence, and the admin area shows a translation. */
export class RuleProblem<Named extends Rule = Rule> {
  constructor(
    readonly rule: Named,
    readonly values: RuleValues = {},
    /** Replaces the sentence of the rule in responses of the API. */
    private readonly ofApi: string = ruleTexts[rule],
  ) {}

  toString(): string {
    return this.ofApi.replaceAll(/\{(\w+)\}/g, (placeholder, name) => {
      const value = this.values[name]
      return value === undefined ? placeholder : inEnglish(value)
    })
  }
}

export const ruleProblem = <Named extends Rule>(rule: Named, values?: RuleValues, ofApi?: string): RuleProblem<Named> =>
  new RuleProblem(rule, values, ofApi)

/** Returns the options of a Zod check. If a value fails the check, the issue contains the violated rule. */
export const ruleOf = (rule: Rule, values?: RuleValues, ofApi?: string) => {
  const violated = ruleProblem(rule, values, ofApi)
  return { error: String(violated), params: { violated } }
}

export const ruleIssue = (violated: RuleProblem, path: (string | number)[] = []) =>
  ({ code: 'custom', message: String(violated), params: { violated }, path }) as const

function inEnglish(value: RuleValue): string {
  if (value instanceof Date) return toWire(value)
  if (typeof value !== 'object' || value instanceof RuleProblem) return String(value)
  if (isList(value)) return value.join(', ')
  if ('day' in value) return value.day
  return 'decimal' in value ? value.decimal : `${value.value} ${value.currency}`
}

export const isList = (value: RuleValue): value is readonly RuleProblem[] => Array.isArray(value)
