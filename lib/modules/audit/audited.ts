import type { RequestContext } from '../../platform/jobs/transact.ts'
import type { Actor } from './rules/entry.ts'
import { writeAudit } from './write.ts'

interface Act<Result> {
  readonly action: string
  readonly subject: string
  /** The result in the entry. Never personal data, keys or links, since entries are kept forever. */
  readonly after?: (result: Result) => unknown
}

/** The context of a call by a person: its transaction appends an entry to the audit log as the last of its changes. */
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
