import { invalid } from '../../../kernel/refusal.ts'
import { ruleProblem } from '../../../kernel/rule-problem.ts'
import { isBlank, isStorableText } from '../../../kernel/text.ts'

export const mostNotes = 100
export const mostOfNote = 2000

export interface Author {
  readonly id: string
  /** Null for staff, whose addresses merchants do not see. */
  readonly email: string | null
}

export interface CustomerNote {
  readonly id: string
  readonly text: string
  readonly author: Author
  readonly createdAt: Date
}

/** Normalizes the text of a note. Throws `validation_failed` for a text that is empty, is too long, or has control characters. */
export function noteText(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n').trim()
  if (isBlank(text)) throw invalid('text', ruleProblem('not_empty'))
  if (text.length > mostOfNote) throw invalid('text', ruleProblem('characters_at_most', { most: mostOfNote }))
  if (!isStorableText(text, { multiline: true }))
    throw invalid('text', ruleProblem('no_control_characters', {}, 'Must not contain control characters.'))
  return text
}
