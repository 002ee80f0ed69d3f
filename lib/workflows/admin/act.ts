import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { Refusal } from '../../kernel/refusal.ts'
import { audited } from '../../modules/audit/audited.ts'
import type { Endpoint } from '../../platform/http/endpoint.ts'
import { claimKey, fingerprint, releaseKey, storeAnswer, whileRenewed } from '../../platform/http/idempotency.ts'
import { parseWith } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import type { Access } from './access.ts'

/** A key for one showing of a form: however often it is sent, it takes effect once. */
export const newFormKey = (): string => randomUUID()

/** An operation of the interface, as a form of the admin area asks for it. */
interface Asked<Params, Body, Result> {
  readonly endpoint: Endpoint<z.ZodType<Params>, z.ZodType, z.ZodType<Body>>
  readonly params: Record<string, string>
  readonly body?: Record<string, unknown>
  /** For the audit log. */
  readonly action: string
  readonly subject: string
  readonly after?: (result: Result) => unknown
}

/**
 * Runs an operation of the interface for a person: validated by its contract as a merchant's request is, once for each
 * showing of a form, and with an entry of the audit log in its transaction. Returns why it was refused, or null.
 */
export async function act<Params, Body, Result>(
  { tenant, actor }: Access,
  formKey: string | null,
  { endpoint, params, body, action, subject, after }: Asked<Params, Body, Result>,
  operation: (call: { context: RequestContext; params: Params; body: Body }) => Promise<Result>,
): Promise<Refusal | null> {
  if (formKey === null || !/^[0-9a-f-]{36}$/.test(formKey)) return new Refusal('illegal_move')
  const { method, path } = endpoint
  const content = new TextEncoder().encode(JSON.stringify([params, body ?? null]))
  const key = `admin ${actor.id} ${formKey}`
  const request = { tenant, method, route: path, key, fingerprint: fingerprint(method, path, content) }
  try {
    const claim = await claimKey(request)
    if (!('claim' in claim)) return null
    try {
      const parsed = parseWith(endpoint, params, new URLSearchParams(), body) as { params: Params; body: Body }
      const done: RequestContext = {
        ...tenant,
        idempotencyKey: key,
        answer: (sql) => storeAnswer(sql, claim, { status: 200, body: null }),
      }
      const context = audited<Result>(done, actor, { action, subject, ...(after && { after }) })
      await whileRenewed(claim, () => operation({ ...parsed, context }))
      return null
    } catch (error) {
      await releaseKey(claim)
      throw error
    }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
