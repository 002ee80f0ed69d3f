import { addDuration, type Duration } from '../../../kernel/calendar.ts'
import type { FieldProblem } from '../../checkouts/page.ts'

export interface FormLink<Field extends string, Saved> {
  readonly id: string
  readonly draft: FormDraft<Field, Saved> | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

export interface FormDraft<Field extends string, Saved> {
  readonly form: Readonly<Record<Field, string>>
  readonly problems: Partial<Record<Field, FieldProblem>>
  /**
   * The number of times that a form was saved through this link. A page that was displayed before a save has a smaller
   * number.
   */
  readonly saves: number
  readonly saved: Saved | null
}

export const oneDay: Duration = { hours: 24 }

export const renewedLifetime = (lifetime: Duration, now: Date) => ({
  draft: null,
  expiresAt: addDuration(now, lifetime) ?? now,
  createdAt: now,
})

export const isUsable = ({ expiresAt }: Pick<FormLink<string, unknown>, 'expiresAt'>, now: Date): boolean =>
  now < expiresAt

/** The form sends this version back, so that a repeated submit is recognized. */
export const draftVersion = (draft: FormDraft<string, unknown> | null): string => String(draft?.saves ?? 0)

export const isRepetition = <Field extends string>(
  draft: FormDraft<Field, unknown> | null,
  form: Readonly<Record<Field, string>>,
  version: string | null,
): boolean =>
  draft !== null &&
  draft.saved !== null &&
  version !== draftVersion(draft) &&
  Object.entries(draft.form).every(([field, value]) => form[field as Field] === value)

/** Returns the draft of a form that has problems or waits for a verification. The draft has the entered values. */
export const refusedDraft = <Field extends string, Saved>(
  before: FormDraft<Field, Saved> | null,
  form: FormDraft<Field, Saved>['form'],
  problems: FormDraft<Field, Saved>['problems'],
): FormDraft<Field, Saved> => ({ form, problems, saves: before?.saves ?? 0, saved: null })

export const savedDraft = <Field extends string, Saved>(
  before: FormDraft<Field, Saved> | null,
  form: FormDraft<Field, Saved>['form'],
  saved: Saved,
): FormDraft<Field, Saved> => ({ form, problems: {}, saves: (before?.saves ?? 0) + 1, saved })
