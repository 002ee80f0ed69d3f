import type { z } from 'zod'
import { Refusal } from '../kernel/refusal.ts'
import { audited } from '../modules/audit/audited.ts'
import { confirmPath } from '../modules/operators/confirm.ts'
import type { AdminAction } from '../modules/operators/rules/admin-actions.ts'
import { requireStepUp } from '../modules/operators/step-up.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import { isFormKey, newFormKey } from '../platform/http/form-key.ts'
import { oncePerForm } from '../platform/http/form-once.ts'
import { parseWith } from '../platform/http/validate.ts'
import type { RequestContext } from '../platform/jobs/transact.ts'
import type { Access } from './access.ts'
import { leave, type Next } from './form-state.ts'
import { problemTexts } from './problem-texts.ts'

export { isFormKey, newFormKey }

interface Audited<Result> {
  readonly action: AdminAction
  readonly subject: string
  readonly after?: (result: Result) => unknown
}

interface Asked<Params, Body, Result> extends Audited<Result> {
  readonly endpoint: Endpoint<z.ZodType<Params>, z.ZodType, z.ZodType<Body>>
  readonly params: Record<string, string>
  readonly body?: Record<string, unknown>
  /** Runs before the second-factor code is checked. Throws if the operation would be refused anyway, so that the code is not used up. */
  readonly check?: (call: { params: Params; body: Body }) => Promise<unknown>
}

/**
 * Runs an API operation for a person, with the input validation of the API. The operation takes effect once per
 * rendering of the form and commits together with its audit entry. Returns the reason of a refusal, or null.
 */
export const act = <Params, Body, Result>(
  access: Access,
  values: URLSearchParams,
  { endpoint, params, body, check, ...entry }: Asked<Params, Body, Result>,
  operation: (call: { context: RequestContext; params: Params; body: Body }) => Promise<Result>,
): Promise<Refusal | null> => {
  const parsed = () => parseWith(endpoint, params, new URLSearchParams(), body) as { params: Params; body: Body }
  return once(
    access,
    values,
    {
      ...entry,
      path: endpoint.path,
      content: [params, body ?? null],
      check: async () => {
        const call = parsed()
        await check?.(call)
      },
    },
    (context) => operation({ ...parsed(), context }),
  )
}

export const codeIn = (values: URLSearchParams): string => (values.get('code') ?? '').trim().slice(0, 100)

interface Once<Result> extends Audited<Result> {
  readonly path: string
  readonly content: unknown
  /** Runs before the second-factor code is checked. Throws if the action would be refused anyway, so that the code is not used up. */
  readonly check?: () => Promise<unknown>
}

/**
 * Runs an action that is not an API operation, once per rendering of the form. The action commits together with its
 * audit entry. If `adminActions` demands a second-factor code, an action without a valid code is refused with
 * `validation_failed` on `code`. A repeated form has no effect and needs no code. Returns the reason of a refusal, or
 * null.
 */
export async function once<Result>(
  access: Access,
  values: URLSearchParams,
  asked: Once<Result>,
  operation: (context: RequestContext) => Promise<Result>,
): Promise<Refusal | null> {
  const done = await onceSaying(access, values, { ...asked, word: () => null }, operation)
  return done instanceof Refusal ? done : null
}

/**
 * Runs an action like `once`. `word` converts the result to a short text for the notice on the next page. The text is stored, so a second click shows the same
 * notice.
 */
export async function onceSaying<Result, Word extends string | null>(
  { tenant, actor, cookies }: Access,
  values: URLSearchParams,
  { path, content, check, word, ...entry }: Once<Result> & { readonly word: (result: Result) => Word },
  operation: (context: RequestContext) => Promise<Result>,
): Promise<Refusal | { readonly word: Word }> {
  const formKey = values.get('key')
  if (!isFormKey(formKey)) return new Refusal('illegal_move')
  try {
    const said = await oncePerForm(
      { tenant, path, key: `admin ${actor.id} ${formKey}`, content, word },
      async (done) => {
        await check?.()
        await requireStepUp({ ...entry, testmode: tenant.testmode, code: codeIn(values), cookies })
        return operation(audited<Result>(done, actor, entry))
      },
    )
    return { word: said }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

interface Form {
  readonly page: string
  readonly values: URLSearchParams
}

/**
 * Runs an operation like `act`, for a form whose fields have the names of API fields, such as `basePrice.value`. Redirects to `done`. After a problem,
 * redirects to the form with the entered values.
 */
export async function actByForm<Params, Body, Result>(
  access: Access,
  { page, values }: Form,
  asked: Asked<Params, Body, Result>,
  operation: (call: { context: RequestContext; params: Params; body: Body }) => Promise<Result>,
  done: () => string,
): Promise<Next> {
  const refusal = await act(access, values, asked, operation)
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: done() }
}

const notKept = ['key', 'intent', 'secret', 'code']
/**
 * The fields that identify the row of the pressed button. A refused form with only these fields has no input to
 * restore.
 */
const ofRows = ['id', 'payout']

/**
 * Returns the redirect to the page that asks for a second-factor code. Null unless the code is missing and the form has
 * no field for it.
 */
export const toConfirm = ({ actor }: Pick<Access, 'actor'>, { page, values }: Form, { on }: Refusal): Next | null =>
  on.code && !values.has('code') ? { redirectTo: confirmPath(actor.id, page) } : null

/**
 * Redirects to the form with the entered values and problems. If a second-factor code is missing and the form has no
 * field for it, redirects to the page that asks for the code.
 */
export function refused(access: Pick<Access, 'actor' | 'language'>, { page, values }: Form, refusal: Refusal): Next {
  const { code } = refusal
  const typed = Object.fromEntries([...values].filter(([name]) => !notKept.includes(name)))
  if (code !== 'validation_failed') {
    const failed = `failed=${code}`
    if (Object.keys(typed).every((name) => ofRows.includes(name)))
      return { redirectTo: `${page}${page.includes('?') ? '&' : '?'}${failed}` }
    const next = leave(access, page, { typed, problems: {} })
    return { ...next, redirectTo: `${next.redirectTo}&${failed}` }
  }
  const problems = problemTexts(refusal.problems, access.language)
  if (toConfirm(access, { page, values }, refusal)) {
    const next = Object.keys(typed).every((name) => ofRows.includes(name))
      ? null
      : leave(access, page, { typed, problems: {} })
    return { ...next, redirectTo: confirmPath(access.actor.id, next?.redirectTo ?? page) }
  }
  const next = leave(access, page, { typed, problems })
  return { ...next, redirectTo: `${next.redirectTo}#problems` }
}
