import { machine, type StateOf } from '../../kernel/machine.ts'

/** Of a subscription's life, the part that a sale begins: the moves of renewal and cancellation come with those verbs. */
export const subscriptionStates = machine({
  created: { start: 'active', startTrial: 'trial', giveUp: 'canceled' },
  trial: {},
  active: {},
  on_grace_period: {},
  paused: {},
  canceled: {},
})

export type SubscriptionStatus = StateOf<typeof subscriptionStates>
