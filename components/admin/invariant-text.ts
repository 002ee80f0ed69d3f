import { isAdminKey, adminText as t } from './text.ts'

/** The sentence of an invariant in the reader's language. The message key is the English sentence. An invariant without a message keeps its English sentence. */
export function invariantText(name: string): string {
  const key = `invariants.names.${name}`
  return isAdminKey(key) ? t(key) : name
}

const subjectKey = (of: string) => `invariants.subjects.${of}`

/** The group of an invariant with the subject of the group, such as `I1: Sums`. An unknown group stays unchanged. */
export function subjectText(of: string): string {
  const key = subjectKey(of)
  return isAdminKey(key) ? `${of}: ${t(key)}` : of
}

/** Translates a text such as `I1 an order is the sum of its lines` to the reader's language. A text without a known group stays unchanged. */
export function invariantOf(text: string): string {
  const [, of, name] = /^(\w+) (.+)$/.exec(text) ?? []
  return of !== undefined && name !== undefined && isAdminKey(subjectKey(of)) ? `${of}: ${invariantText(name)}` : text
}
