import { addDuration, type Duration } from '../../../kernel/calendar.ts'
import type { FieldProblem } from '../../checkouts/page.ts'

/** A buyer's way to a hosted form, for a while, and what was sent by it last. `Saved` is what came of it. */
export interface FormLink<Field extends string, Saved> {
  readonly id: string
  readonly draft: FormDraft<Field, Saved> | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

/** What the buyer sent last: with what was wrong with it, or what came of it. */
export interface FormDraft<Field extends string, Saved> {
  readonly form: Readonly<Record<Field, string>>
  readonly problems: Partial<Record<Field, FieldProblem>>
  /** How often something was saved by this link: a form that was shown before says a smaller number. */
  readonly saves: number
  /** Set once it is saved. */
  readonly saved: Saved | null
}

/** How long a link lives that a merchant asks for. */
export const oneDay: Duration = { hours: 24 }

/** What every new link begins with: it can be used for its lifetime from now on. */
export const renewedLifetime = (lifetime: Duration, now: Date) => ({
  draft: null,
  expiresAt: addDuration(now, lifetime) ?? now,
  createdAt: now,
})

export const isUsable = ({ expiresAt }: Pick<FormLink<string, unknown>, 'expiresAt'>, now: Date): boolean =>
  now < expiresAt

/** What the form says of itself, so that one that is sent twice is known as such. */
export const versionOf = (draft: FormDraft<string, unknown> | null): string => String(draft?.saves ?? 0)

/** A form that was sent twice: the second one must do nothing. */
export const isRepetition = <Field extends string>(
  draft: FormDraft<Field, unknown> | null,
  form: Readonly<Record<Field, string>>,
  version: string | null,
): boolean =>
  draft !== null &&
  draft.saved !== null &&
  version !== versionOf(draft) &&
  Object.entries(draft.form).every(([field, value]) => form[field as Field] === value)

/** The draft after a form that was refused, or that waits for a verification: nothing typed is lost. */
export const refusedDraft = <Field extends string, Saved>(
  before: FormDraft<Field, Saved> | null,
  form: FormDraft<Field, Saved>['form'],
  problems: FormDraft<Field, Saved>['problems'],
): FormDraft<Field, Saved> => ({ form, problems, saves: before?.saves ?? 0, saved: null })

/** The draft after a form that was saved. */
export const savedDraft = <Field extends string, Saved>(
  before: FormDraft<Field, Saved> | null,
  form: FormDraft<Field, Saved>['form'],
  saved: Saved,
): FormDraft<Field, Saved> => ({ form, problems: {}, saves: (before?.saves ?? 0) + 1, saved })
