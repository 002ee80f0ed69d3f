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

export { isFormKey, newFormKey }

/** An action of the table of actions, with its entry in the audit log. */
interface Audited<Result> {
  readonly action: AdminAction
  readonly subject: string
  readonly after?: (result: Result) => unknown
}

/** An API operation, requested by a form of the admin area. */
interface Asked<Params, Body, Result> extends Audited<Result> {
  readonly endpoint: Endpoint<z.ZodType<Params>, z.ZodType, z.ZodType<Body>>
  readonly params: Record<string, string>
  readonly body?: Record<string, unknown>
  /** Refuses what would fail anyway, before a code is used up. */
  readonly check?: (call: { params: Params; body: Body }) => Promise<unknown>
}

/**
 * Runs an API operation for a person. The input is validated by the operation's contract, as a merchant's request is.
 * It takes effect once per rendering of the form, with an entry of the audit log in its transaction. Returns why it was
 * refused, or null.
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

/** The code of the second factor in a form. */
export const codeIn = (values: URLSearchParams): string => (values.get('code') ?? '').trim().slice(0, 100)

/** The request of a form: its path and content. */
interface Once<Result> extends Audited<Result> {
  readonly path: string
  readonly content: unknown
  /** Refuses what would fail anyway, before a code is used up. */
  readonly check?: () => Promise<unknown>
}

/**
 * The same for an action that is no API operation. The result of the operation commits with the context's `answer`. If
 * the table of actions demands a code, the action is refused without one: `validation_failed` on `code`. A repeated
 * form needs no second code and has no further effect.
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
 * As `once`, for a page that reports a result. `word` turns the result into a word, which is stored, so that a second
 * click shows the same. Returns the word, or why the action was refused.
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

/** A form: its page, and the typed values. */
interface Form {
  /** The path of the page, with or without a query. */
  readonly page: string
  readonly values: URLSearchParams
}

/**
 * As `act`, for a form whose fields have the names of the operation's, such as `basePrice.value`. A problem redirects
 * to its page with the typed values; otherwise `done` is the target.
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
/** Fields that only name the row of the pressed button. */
const ofRows = ['id', 'payout']

/**
 * The address of the page that takes a code, if the action needs a code and its form has no field for it; otherwise
 * null.
 */
export const toConfirm = ({ actor }: Pick<Access, 'actor'>, { page, values }: Form, { on }: Refusal): Next | null =>
  on.code && !values.has('code') ? { redirectTo: confirmPath(actor.id, page) } : null

/**
 * Redirects to the page of a form with the typed values, and with the problems of the fields or the reason in a notice.
 * A form that needs a code and has no field for it leads to the page that takes the code.
 */
export function refused(access: Pick<Access, 'actor'>, { page, values }: Form, refusal: Refusal): Next {
  const { code, on } = refusal
  const typed = Object.fromEntries([...values].filter(([name]) => !notKept.includes(name)))
  if (code !== 'validation_failed') {
    const failed = `failed=${code}`
    if (Object.keys(typed).every((name) => ofRows.includes(name)))
      return { redirectTo: `${page}${page.includes('?') ? '&' : '?'}${failed}` }
    const next = leave(access, page, { typed, problems: {} })
    return { ...next, redirectTo: `${next.redirectTo}&${failed}` }
  }
  const problems = Object.fromEntries(Object.entries(on).map(([field, [sentence = '']]) => [field, sentence]))
  if (toConfirm(access, { page, values }, refusal)) {
    const next = Object.keys(typed).every((name) => ofRows.includes(name))
      ? null
      : leave(access, page, { typed, problems: {} })
    return { ...next, redirectTo: confirmPath(access.actor.id, next?.redirectTo ?? page) }
  }
  const next = leave(access, page, { typed, problems })
  return { ...next, redirectTo: `${next.redirectTo}#problems` }
}
