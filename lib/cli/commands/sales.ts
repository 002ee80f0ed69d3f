import { type FailureReason, failureReasons } from '../../modules/payments/rules/failure.ts'
import { returnCodes } from '../../modules/payments/rules/returned-debit.ts'
import { type Command, command } from '../command.ts'
import { storefront } from '../flags.ts'

const subscription = { value: 'ID', help: "the subscription's id", required: true } as const
const review = { value: 'ID', help: "the plan's or product's id", required: true } as const
const catalog = () => import('../../modules/catalog/operations.ts')
const recalls = () => import('../../workflows/refund/recall.ts')
const subscriptions = () => import('../../workflows/subscription-change/operations.ts')
const mandates = () => import('../../workflows/test-helpers/mandates.ts')
const testHelpers = () => import('../../workflows/test-helpers/operations.ts')

/** Reviews, subscriptions and their charges, and the test clock. */
export const salesCommands: readonly Command[] = [
  command({
    noun: 'review',
    verb: 'list',
    summary: 'List the plans, products and updates that wait for an operator',
    flags: {},
    run: async () => (await catalog()).listReviews(),
  }),
  command({
    noun: 'review',
    verb: 'start',
    summary: 'Begin a review: the merchant cannot change the item until its end',
    flags: { id: review },
    run: async ({ id }) => (await catalog()).startReview(id),
  }),
  command({
    noun: 'review',
    verb: 'approve',
    summary: 'Approve a plan or product, with its update if there is one',
    flags: { id: review },
    run: async ({ id }) => (await catalog()).approveReview(id),
  }),
  command({
    noun: 'review',
    verb: 'reject',
    summary: 'Reject a plan, product or update',
    flags: { id: review, reason: { value: 'TEXT', help: 'why, for the merchant' } },
    run: async ({ id, reason }) => (await catalog()).rejectReview(id, reason ?? ''),
  }),
  command({
    noun: 'clock',
    verb: 'show',
    summary: "Show the moment on a storefront's test clock",
    flags: { storefront },
    run: async ({ storefront }) => (await testHelpers()).showClock(storefront),
  }),
  command({
    noun: 'clock',
    verb: 'advance',
    summary: "Move a storefront's test clock forward and run what falls due",
    flags: { storefront, by: { value: '25h', help: 'a duration such as 90m, 25h, 30d or P1M', required: true } },
    run: async ({ storefront, by }) => {
      const { tasks } = await import('../../server/jobs.ts')
      return (await testHelpers()).advanceClock(storefront, by, tasks.embedded)
    },
  }),
  command({
    noun: 'clock',
    verb: 'stop',
    summary: "End an advance of a storefront's test clock at the moment that it has reached",
    flags: { storefront },
    run: async ({ storefront }) => {
      const { tasks } = await import('../../server/jobs.ts')
      return (await testHelpers()).stopClock(storefront, tasks.embedded)
    },
  }),
  command({
    noun: 'subscription',
    verb: 'pause',
    summary: 'Stop the renewals of an active subscription',
    flags: { subscription },
    run: async ({ subscription }) => (await subscriptions()).pauseTyped(subscription),
  }),
  command({
    noun: 'subscription',
    verb: 'unpause',
    summary: 'Continue a paused subscription; a new period is charged when the paid one is over',
    flags: { subscription },
    run: async ({ subscription }) => (await subscriptions()).unpauseTyped(subscription),
  }),
  command({
    noun: 'mandate',
    verb: 'activate',
    summary: 'Let a payment method that was left pending be charged, and charge what waited (test mode)',
    flags: { subscription },
    run: async ({ subscription }) => (await mandates()).activateMandate(subscription),
  }),
  command({
    noun: 'mandate',
    verb: 'decline',
    summary: 'Let the test provider decline a payment method from now on',
    flags: {
      subscription,
      reason: { value: 'REASON', help: 'why (general_failure)', oneOf: failureReasons },
    },
    run: async ({ subscription, reason }) =>
      (await mandates()).declineMandate(subscription, (reason as FailureReason | undefined) ?? 'general_failure'),
  }),
  command({
    noun: 'mandate',
    verb: 'return',
    summary: 'Let the direct debits on a payment method be paid, and returned by the bank days later, from now on',
    flags: {
      subscription,
      code: { value: 'CODE', help: "the bank's reason, ISO 20022 (AM04)", oneOf: returnCodes },
    },
    run: async ({ subscription, code }) => (await mandates()).returnDebits(subscription, code),
  }),
  command({
    noun: 'mandate',
    verb: 'accept',
    summary: 'Let the test provider charge a payment method again, and return none of its direct debits',
    flags: { subscription },
    run: async ({ subscription }) => (await mandates()).declineMandate(subscription, null),
  }),
  command({
    noun: 'refund',
    verb: 'cancel',
    summary: 'Cancel a refund; one that was sent is canceled at the provider, if that is still possible',
    flags: { refund: { value: 'ID', help: "the refund's id", required: true } },
    run: async ({ refund }) => (await recalls()).cancelTyped(refund),
  }),
]
