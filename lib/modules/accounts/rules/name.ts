import { invalid } from '../../../kernel/refusal.ts'
import { ruleProblem } from '../../../kernel/rule-problem.ts'
import { isBlank, isStorableText } from '../../../kernel/text.ts'

/** Trims the name. Throws `validation_failed` unless it has 1 to `most` characters, at least one of them visible. */
export function checkedName(name: string, field = 'name', most = 255): string {
  const trimmed = name.trim()
  if (isBlank(trimmed) || trimmed.length > most || !isStorableText(trimmed))
    throw invalid(field, ruleProblem('name', { most }))
  return trimmed
}

export const mostOfKeyName = 60

export const checkedKeyName = (typed: string): string | null =>
  typed.trim() === '' ? null : checkedName(typed, 'name', mostOfKeyName)
