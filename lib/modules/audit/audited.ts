import type { RequestContext } from '../../platform/jobs/transact.ts'
import type { Actor } from './rules/entry.ts'
import { writeAudit } from './write.ts'

interface Act<Result> {
  readonly action: string
  readonly subject: string
  /**
   * The part of the result that the audit entry stores. It must not contain personal data or secrets, because audit
   * entries are never deleted.
   */
  readonly after?: (result: Result) => unknown
}

export const audited = <Result = unknown>(
  context: RequestContext,
  actor: Actor,
  { action, subject, after = () => null }: Act<Result>,
): RequestContext => ({
  ...context,
  async answer(sql, result) {
    const last = await context.answer?.(sql, result)
    await writeAudit(sql, actor, { action, subject, before: null, after: after(result as Result) })
    return last ?? null
  },
})
