import type { Loaded } from '../../kernel/hosted-pages.ts'
import { amount } from '../../kernel/money.ts'
import type { PortalChangePage, PortalPlan, PortalQuote } from '../../modules/portal/page.ts'
import { plansToSwitchTo } from '../../modules/portal/rules/portal-change.ts'
import type * as rules from '../../modules/subscriptions/rules/index.ts'
import { planOf } from '../../modules/subscriptions/rules/index.ts'
import { db } from '../../platform/db/db.ts'
import { newFormKey } from '../../platform/http/form-key.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { learnLimits } from '../subscription-change/charge-limits.ts'
import type { WirePreview } from '../subscription-change/preview.ts'
import { resolveAt } from '../subscription-change/resolve.ts'
import {
  allowedChanges,
  blockOf,
  changeRequest,
  choiceIn,
  chosenChange,
  isAllowed,
  readChoice,
  seenTerms,
} from './change.ts'
import { type EnteredPage, enterPage, inSession } from './enter.ts'
import { subscriptionOf } from './own-subscription.ts'
import { subscriptionView } from './views.ts'

export const loadChange = async (
  id: string,
  visitor: Visitor,
  query: URLSearchParams,
): Promise<Loaded<PortalChangePage>> => inSession(await changePage(id, visitor, query), visitor)

export async function changePage(
  id: string,
  visitor: Visitor,
  query: URLSearchParams,
): Promise<PortalChangePage | null> {
  const entered = await enterPage(visitor)
  const subscription = entered && (await subscriptionOf(entered, id))
  const allowed = subscription && (await allowedChanges(db(), subscription, entered.tenant))
  if (!entered || !subscription || !allowed) return null
  const { tenant, now, frame } = entered
  const values = choiceIn(query, subscription)
  if (!isAllowed(allowed, subscription, values)) return null
  const where = { ...tenant, sql: db() }
  const view = await subscriptionView(tenant, subscription, now)
  const page = {
    ...frame,
    subscription: view,
    country: subscription.billingAddress.country,
    block: await blockOf(where, subscription),
    mayChangeQuantity: allowed.quantity,
    plans: await plansOf(entered, subscription, plansToSwitchTo(allowed, subscription)),
    values,
    isStale: query.has('changed'),
    url: `${view.url}/change`,
    submitUrl: `${view.url}/change/submit`,
  }
  const isAsked = query.has('plan') || query.has('quantity')
  if (page.block || !isAsked) return { ...page, problem: null, preview: null }
  const choice = readChoice(values)
  if (!choice) return { ...page, problem: 'quantity', preview: null }
  await learnLimits(subscription)
  const chosen = await chosenChange(where, { ...subscription, locale: frame.locale }, choice, { at: now, now })
  const { direction, name, problem, preview } = chosen
  if (problem) return { ...page, problem, preview: null }
  return {
    ...page,
    problem,
    preview: {
      direction,
      item: { name, quantity: choice.quantity },
      dueNow: preview.dueNow && quoteView(preview.dueNow),
      nextRenewal: preview.nextRenewal && { total: preview.nextRenewal.total, at: preview.nextRenewal.at },
      terms: seenTerms(now, chosen),
      formKey: newFormKey(),
    },
  }
}

const quoteView = ({ lines, subtotal, taxSummary, total }: NonNullable<WirePreview['dueNow']>): PortalQuote => ({
  lines: lines.map((line) => ({ description: line.description, subtotal: line.subtotal })),
  subtotal,
  taxes: taxSummary.map(({ taxRate, amount }) => ({ name: taxRate.name, percentage: taxRate.percentage, amount })),
  total,
})

async function plansOf(
  { tenant, now }: EnteredPage,
  subscription: rules.Subscription,
  ids: readonly string[],
): Promise<PortalPlan[]> {
  const where = { ...tenant, sql: db() }
  const targets = await Promise.all(
    ids.map((id) =>
      resolveAt(where, subscription, changeRequest({ subscriptionPlanId: id }), { at: now, now, isDated: false }),
    ),
  )
  const others = targets.flatMap(({ asked: { plan } }) => plan ?? [])
  if (others.length === 0) return []
  return [planOf(subscription), ...others].map(({ planId, name, price, billingInterval }) => ({
    id: planId,
    name,
    price: amount(price.minor, price.currency),
    hasTax: subscription.taxBehavior === 'inclusive',
    every: { interval: billingInterval.interval, intervalCount: billingInterval.intervalCount },
  }))
}
