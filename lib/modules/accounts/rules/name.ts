import { invalid } from '../../../kernel/refusal.ts'
import { isBlank, isStorableText } from '../../../kernel/text.ts'

/** A name without its outer blanks. Refuses `validation_failed` on one that is not 1 to 255 characters long. */
export function checkedName(name: string, field = 'name'): string {
  const trimmed = name.trim()
  if (isBlank(trimmed) || trimmed.length > 255 || !isStorableText(trimmed))
    throw invalid(field, 'Must have 1 to 255 characters, and one that can be seen.')
  return trimmed
}
