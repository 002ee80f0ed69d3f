import type { AdminSubscription, TermsChange } from '../modules/subscriptions/page.ts'

type Terms = Pick<AdminSubscription, 'name' | 'quantity' | 'basePrice' | 'interval' | 'intervalCount'>

export function termsChanges(before: Terms | null, after: Terms): TermsChange[] {
  if (!before) return []
  const changes: TermsChange[] = []
  if (before.name !== after.name) changes.push({ field: 'plan', from: before.name, to: after.name })
  if (before.quantity !== after.quantity) changes.push({ field: 'quantity', from: before.quantity, to: after.quantity })
  const [from, to] = [before.basePrice, after.basePrice]
  if (from.value !== to.value || from.currency !== to.currency) changes.push({ field: 'price', from, to })
  if (before.interval !== after.interval || before.intervalCount !== after.intervalCount)
    changes.push({ field: 'interval', from: everyOf(before), to: everyOf(after) })
  return changes
}

const everyOf = ({ interval, intervalCount }: Terms) => ({ interval, intervalCount })
