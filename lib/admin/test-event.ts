import { Refusal } from '../kernel/refusal.ts'
import * as webhooks from '../modules/webhooks/operations.ts'
import type { PingResult } from '../modules/webhooks/page.ts'
import { realNow } from '../platform/clock/clock.ts'
import { sharedLimits } from '../platform/http/shared-limits.ts'
import type { Access } from './access.ts'
import { onceSaying, refused } from './act.ts'
import { type FormState, leave, type Next } from './form-state.ts'

const mostInMinute = 10
const testEvents = sharedLimits().limiter('test event', 10_000)

/** Sends a test event and stores the response of the receiver. A repeated form sends no second event. */
export async function sendTestEvent(access: Access, page: string, id: string, values: URLSearchParams): Promise<Next> {
  const asked = {
    path: '/admin/endpoints/ping',
    content: [id],
    action: 'endpoint.ping' as const,
    subject: id,
    after: ({ delivered, status }: PingResult) => ({ delivered, status }),
    word: (result: PingResult) => JSON.stringify(result),
  }
  const said = await onceSaying(access, values, asked, (context) => {
    if (!testEvents.take(id, mostInMinute, realNow().getTime(), mostInMinute).allowed) throw new Refusal('rate_limited')
    return webhooks.ping(context, id)
  })
  if (said instanceof Refusal && said.code === 'rate_limited') return { redirectTo: `${page}?done=pingLater` }
  if (said instanceof Refusal) return refused(access, { page, values: new URLSearchParams() }, said)
  return leave(access, page, { typed: { ping: said.word }, problems: {} })
}

export const pingResultIn = ({ typed }: FormState): PingResult | null =>
  typed.ping === undefined ? null : (JSON.parse(typed.ping) as PingResult)
