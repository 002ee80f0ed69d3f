import { type FormState, formStateOf, leaveFor, type Next } from '../platform/http/form-state.ts'
import type { Access } from './access.ts'

export { emptyState, type FormState, type Next } from '../platform/http/form-state.ts'

export const leave = ({ actor }: Pick<Access, 'actor'>, page: string, state: FormState): Next =>
  leaveFor(actor.id, page, state)

export const formState = ({ actor }: Pick<Access, 'actor'>, id: string | null, cookies: string | null): FormState =>
  formStateOf(actor.id, id, cookies)
