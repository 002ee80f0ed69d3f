import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `created`: the subscription waits for its first payment. `on_grace_period`: the customer canceled, but can use the subscription until the end of the paid
 * period. `paused`: the subscription does not renew. `canceled`: the subscription has ended. Past due is not a status: a subscription with a failed charge
 * keeps its status, and its order has an open recovery (module `recovery`).
 */
export const subscriptionStates = machine({
  created: { start: 'active', startTrial: 'trial', abandon: 'canceled' },
  trial: {
    endTrial: 'active',
    startTrial: 'trial',
    cancelAtPeriodEnd: 'on_grace_period',
    cancelNow: 'canceled',
  },
  active: {
    renew: 'active',
    startTrial: 'trial',
    cancelAtPeriodEnd: 'on_grace_period',
    cancelNow: 'canceled',
    pause: 'paused',
  },
  on_grace_period: {
    resume: 'active',
    resumeTrial: 'trial',
    resumePaused: 'paused',
    lapse: 'canceled',
    cancelNow: 'canceled',
  },
  paused: { unpause: 'active', cancelAtPeriodEnd: 'on_grace_period', cancelNow: 'canceled' },
  canceled: {},
})

export type SubscriptionStatus = StateOf<typeof subscriptionStates>

export const ongoingStatuses = ['trial', 'active', 'on_grace_period', 'paused'] as const

export const isOngoing = ({ status }: { readonly status: SubscriptionStatus }): boolean =>
  (ongoingStatuses as readonly SubscriptionStatus[]).includes(status)
