import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { ShownOrder } from '../modules/orders/rules/order.ts'
import { openAttemptsOf } from '../modules/payments/store.ts'
import type { PastDueActions, PastDueRow } from '../modules/recovery/page.ts'
import { attemptsOf, chargedAgainAt, endsAt, type Recovery, retryBlock } from '../modules/recovery/rules/index.ts'
import { recoveryOfOrder } from '../modules/recovery/store.ts'
import { findSubscriptions } from '../modules/subscriptions/store.ts'
import { db, type Sql } from '../platform/db/db.ts'
import { type LinkEmail, retryNow, sendLinkAgain, writeOff } from '../workflows/recovery/by-merchant.ts'
import type { Access } from './access.ts'
import { newFormKey, once, onceSaying, refused } from './act.ts'
import type { Next } from './form-state.ts'
import { nameOf } from './rows.ts'
import { renewalsWait } from './subscriptions.ts'

export async function pastDueRows(
  sql: Sql,
  access: Access,
  recoveries: readonly Recovery[],
  orders: readonly ShownOrder[],
): Promise<PastDueRow[]> {
  const ids = recoveries.flatMap(({ subscriptionId }) => subscriptionId ?? [])
  const [subscriptions, tried] = await Promise.all([
    findSubscriptions(sql, access.tenant, ids),
    openAttemptsOf(
      sql,
      recoveries.map(({ orderId }) => orderId),
    ),
  ])
  const byOrder = new Map(orders.map((order) => [order.id, order]))
  return recoveries.flatMap((recovery) => {
    const order = byOrder.get(recovery.orderId)
    const mandate = subscriptions.find(({ id }) => id === recovery.subscriptionId)?.mandate ?? null
    const isTried = tried.has(recovery.orderId)
    return order ? [rowOf(recovery, order, actionsOn(access, recovery, { mandate, isTried }), access.path)] : []
  })
}

export async function pastDueOf(access: Access, order: ShownOrder): Promise<PastDueRow | null> {
  const recovery = order.status === 'pending' ? await recoveryOfOrder(db(), order.id) : null
  if (recovery?.status !== 'open') return null
  return (await pastDueRows(db(), access, [recovery], [order]))[0] ?? null
}

function actionsOn(
  access: Access,
  recovery: Recovery,
  { mandate, isTried }: { mandate: Parameters<typeof retryBlock>[1]; isTried: boolean },
): PastDueActions {
  return {
    retryBlock: retryBlock(recovery, mandate, isTried) ?? renewalsWait(access),
    mayRetry: access.mayDo('recovery.retry'),
    maySendLink: access.mayDo('recovery.send_link') && !isTried,
    mayWriteOff: access.mayDo('recovery.write_off') && !isTried,
    mayCancel: access.mayDo('subscription.cancel_now') && recovery.subscriptionId !== null,
    formKey: newFormKey(),
  }
}

function rowOf(recovery: Recovery, order: ShownOrder, actions: PastDueActions, path: string): PastDueRow {
  const { id, subscriptionId, lastFailure, collects } = recovery
  const [nextAttemptAt, writtenOffAt] = [chargedAgainAt(recovery), endsAt(recovery)]
  return {
    id,
    url: `${path}/orders/${order.id}`,
    customer: nameOf(order.customerDetails) ?? order.id,
    subscriptionUrl: subscriptionId && `${path}/subscriptions/${subscriptionId}`,
    amount: amount(order.total, order.currency),
    reason: lastFailure.reason,
    attempts: attemptsOf(recovery),
    nextAttemptAt: nextAttemptAt && toWire(nextAttemptAt),
    writtenOffAt: writtenOffAt && toWire(writtenOffAt),
    collects,
    actions,
  }
}

const actions = {
  retry: 'recovery.retry',
  'send-link': 'recovery.send_link',
  'write-off': 'recovery.write_off',
} as const

const linkWords = { sent: 'linkSent', switched_off: 'emailOff', limit_reached: 'linkLimit' } as const

export const isPastDueAction = (intent: string | null): intent is keyof typeof actions =>
  intent !== null && Object.hasOwn(actions, intent)

/** Retries the payment, emails the payment link, or writes the payment off. A form that is sent twice takes effect once. */
export async function actOnPastDue(
  access: Access,
  page: string,
  orderId: string,
  form: URLSearchParams,
): Promise<Next> {
  const intent = form.get('intent')
  if (!isPastDueAction(intent)) return { redirectTo: page }
  const asked = { path: `/admin/past-due/${intent}`, content: orderId, action: actions[intent], subject: orderId }
  if (intent === 'send-link') {
    const word = (email: LinkEmail) => linkWords[email]
    const sent = await onceSaying(access, form, { ...asked, word }, (call) => sendLinkAgain(call, orderId))
    return sent instanceof Refusal
      ? refused(access, { page, values: new URLSearchParams() }, sent)
      : done(page, sent.word)
  }
  const operation = intent === 'retry' ? retryNow : writeOff
  const refusal = await once(access, form, asked, (call) => operation(call, orderId))
  if (refusal) return refused(access, { page, values: new URLSearchParams() }, refusal)
  return done(page, intent === 'retry' ? 'retried' : 'writtenOff')
}

const done = (page: string, word: string): Next => ({ redirectTo: `${page}?done=${word}` })
