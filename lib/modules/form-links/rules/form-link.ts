import { addDuration, type Duration } from '../../../kernel/calendar.ts'
import type { FieldProblem } from '../../checkouts/page.ts'

/** A link that opens a hosted form to a buyer for a while, with the last submit. `Saved` is that submit's result. */
export interface FormLink<Field extends string, Saved> {
  readonly id: string
  readonly draft: FormDraft<Field, Saved> | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

/** The buyer's last submit, with its problems or its result. */
export interface FormDraft<Field extends string, Saved> {
  readonly form: Readonly<Record<Field, string>>
  readonly problems: Partial<Record<Field, FieldProblem>>
  /** How often something was saved through this link: a form that was shown before has a smaller number. */
  readonly saves: number
  /** Set once it is saved. */
  readonly saved: Saved | null
}

/** The lifetime of a link that a merchant creates. */
export const oneDay: Duration = { hours: 24 }

/** The initial state of a link: it can be used for its lifetime from now on. */
export const renewedLifetime = (lifetime: Duration, now: Date) => ({
  draft: null,
  expiresAt: addDuration(now, lifetime) ?? now,
  createdAt: now,
})

export const isUsable = ({ expiresAt }: Pick<FormLink<string, unknown>, 'expiresAt'>, now: Date): boolean =>
  now < expiresAt

/** The version that the form sends back, so that a form that is sent twice is recognized. */
export const draftVersion = (draft: FormDraft<string, unknown> | null): string => String(draft?.saves ?? 0)

/** Whether a form was sent before: a repetition must do nothing. */
export const isRepetition = <Field extends string>(
  draft: FormDraft<Field, unknown> | null,
  form: Readonly<Record<Field, string>>,
  version: string | null,
): boolean =>
  draft !== null &&
  draft.saved !== null &&
  version !== draftVersion(draft) &&
  Object.entries(draft.form).every(([field, value]) => form[field as Field] === value)

/** The draft after a form with problems, or one that waits for a verification: nothing typed is lost. */
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
