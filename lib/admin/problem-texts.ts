import { dayAndTime, listText, money, plainDay, wholeNumber, withTwoDecimals } from '../kernel/format.ts'
import type { Locale } from '../kernel/locale.ts'
import type { FieldErrors } from '../kernel/refusal.ts'
import { isList, RuleProblem, type RuleValue } from '../kernel/rule-problem.ts'
import { adminTranslator } from './messages.ts'

/**
 * The first problem of each field in the reader's language. A problem that is a plain sentence stays in English,
 * because no form shows it.
 */
export const problemTexts = (problems: FieldErrors, locale: Locale): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([field, [first]]) => (first ? [[field, problemText(first, locale)]] : [])),
  )

export function problemText(problem: string | RuleProblem, locale: Locale): string {
  if (typeof problem === 'string') return problem
  const values = Object.entries(problem.values).map(([name, value]) => [name, valueText(value, locale)])
  return adminTranslator(locale)(`rules.${problem.rule}`, Object.fromEntries(values))
}

function valueText(value: RuleValue, locale: Locale): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return wholeNumber(value, locale)
  if (value instanceof Date) return dayAndTime(value.toISOString(), locale)
  if (value instanceof RuleProblem) return problemText(value, locale)
  if (isList(value))
    return listText(
      value.map((each) => problemText(each, locale)),
      locale,
    )
  if ('day' in value) return plainDay(`${value.day}T00:00:00Z`, locale)
  if ('decimal' in value) return withTwoDecimals(value.decimal, locale)
  return money(value, locale)
}
