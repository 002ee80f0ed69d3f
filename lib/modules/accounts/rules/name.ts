import { invalid } from '../../../kernel/refusal.ts'
import { isBlank, isStorableText } from '../../../kernel/text.ts'

/** A name without its outer blanks. Refuses `validation_failed` on one that is not 1 to `most` characters long. */
export function checkedName(name: string, field = 'name', most = 255): string {
  const trimmed = name.trim()
  if (isBlank(trimmed) || trimmed.length > most || !isStorableText(trimmed))
    throw invalid(field, `Must have 1 to ${most} characters, and one that can be seen.`)
  return trimmed
}

/** The maximum length of the name of a key. */
export const mostOfKeyName = 60

/** The name of a key; null if nothing was typed. Refuses `validation_failed` on `name`. */
export const checkedKeyName = (typed: string): string | null =>
  typed.trim() === '' ? null : checkedName(typed, 'name', mostOfKeyName)
