import en from '@/messages/admin/en.json'
import { type AdminKey, adminText as t } from './text.ts'

/** The key of each message is the English sentence of an invariant. */
const names = en.invariants.names as Readonly<Record<string, string>>
const subjects = en.invariants.subjects as Readonly<Record<string, string>>

/** The sentence of an invariant in the reader's language. An invariant without a message keeps its English sentence. */
export const invariantText = (name: string): string =>
  Object.hasOwn(names, name) ? t(`invariants.names.${name}` as AdminKey) : name

/** The group of an invariant with the subject of the group, such as `I1: Sums`. An unknown group stays unchanged. */
export const subjectText = (of: string): string =>
  Object.hasOwn(subjects, of) ? `${of}: ${t(`invariants.subjects.${of}` as AdminKey)}` : of

/** Translates a text such as `I1 an order is the sum of its lines` to the reader's language. A text without a known group stays unchanged. */
export function invariantOf(text: string): string {
  const [, of, name] = /^(\w+) (.+)$/.exec(text) ?? []
  return of === undefined || name === undefined || !Object.hasOwn(subjects, of) ? text : `${of}: ${invariantText(name)}`
}
