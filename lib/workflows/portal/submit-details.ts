import { readDetails } from '../../modules/billing-updates/rules/details.ts'
import { detailsOf } from '../../modules/checkouts/rules/index.ts'
import { transact } from '../../modules/events/transact.ts'
import { lockSubscriptionsOfCustomer } from '../../modules/subscriptions/store.ts'
import { leaveFor, type Next } from '../../platform/http/form-state.ts'
import { changeDetails } from '../billing-update/change-details.ts'
import { askAgainLater } from '../tax-ids/ask-again-later.ts'
import { enter, noticed } from './enter.ts'
import { checkDetails, detailsPath } from './load-details.ts'
import { runningSubscriptions } from './own-subscription.ts'

/** Changes the billing details, but not issued invoices. Returns null if no session is open. The call is safe to repeat. */
export async function submitDetails(form: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const entered = await enter(cookies)
  if (!entered) return null
  const { session, tenant, customer } = entered
  if ((await runningSubscriptions(entered)).length === 0) return { redirectTo: '/portal' }
  const typed = readDetails(form)
  const { choice, problems } = await checkDetails(entered, typed)
  if (Object.keys(problems).length > 0) {
    const { redirectTo, ...next } = leaveFor(session.id, detailsPath, { typed, problems: {} })
    return { ...next, redirectTo: `${redirectTo}#problems` }
  }
  await transact(tenant, async (tx) => {
    const subscriptions = await lockSubscriptionsOfCustomer(tx.sql, tx, customer.id)
    await askAgainLater(tx, choice)
    await changeDetails(tx, subscriptions, detailsOf(typed))
  })
  return { redirectTo: noticed(detailsPath, 'updated') }
}
