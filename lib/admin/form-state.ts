import { type FormState, formStateOf, leaveFor, type Next } from '../platform/http/form-state.ts'
import type { Access } from './access.ts'

export { emptyState, type FormState, type Next } from '../platform/http/form-state.ts'

/** Leads to a page with what the form has left for this person. */
export const leave = ({ actor }: Pick<Access, 'actor'>, page: string, state: FormState): Next =>
  leaveFor(actor.id, page, state)

/** What the form with this id has left for this person. */
export const formState = ({ actor }: Pick<Access, 'actor'>, id: string | null, cookies: string | null): FormState =>
  formStateOf(actor.id, id, cookies)
