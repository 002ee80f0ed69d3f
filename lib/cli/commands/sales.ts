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

export const salesCommands: readonly Command[] = [
  command({
    noun: 'review',
    verb: 'list',
    summary: 'List the plans, products and updates that wait for a review',
    flags: {},
    run: async () => (await catalog()).listReviews(),
  }),
  command({
    noun: 'review',
    verb: 'start',
    summary: 'Start a review; the merchant cannot change the item until the review ends',
    flags: { id: review },
    run: async ({ id }) => (await catalog()).startReview(id),
  }),
  command({
    noun: 'review',
    verb: 'approve',
    summary: 'Approve a plan or product, or its pending update',
    flags: { id: review },
    run: async ({ id }) => (await catalog()).approveReview(id),
  }),
  command({
    noun: 'review',
    verb: 'reject',
    summary: 'Reject a plan, product or update',
    flags: { id: review, reason: { value: 'TEXT', help: 'the reason, which the merchant reads' } },
    run: async ({ id, reason }) => (await catalog()).rejectReview(id, reason ?? ''),
  }),
  command({
    noun: 'clock',
    verb: 'show',
    summary: "Show the time on a storefront's test clock",
    flags: { storefront },
    run: async ({ storefront }) => (await testHelpers()).showClock(storefront),
  }),
  command({
    noun: 'clock',
    verb: 'advance',
    summary: "Move a storefront's test clock forward, and run the tasks that become due",
    flags: { storefront, by: { value: '25h', help: 'a duration such as 90m, 25h, 30d or P1M', required: true } },
    run: async ({ storefront, by }) => {
      const { tasks } = await import('../../server/jobs.ts')
      return (await testHelpers()).advanceClock(storefront, by, tasks.embedded)
    },
  }),
  command({
    noun: 'clock',
    verb: 'stop',
    summary: "Stop the advance of a storefront's test clock; the clock keeps the time that it reached",
    flags: { storefront },
    run: async ({ storefront }) => {
      const { tasks } = await import('../../server/jobs.ts')
      return (await testHelpers()).stopClock(storefront, tasks.embedded)
    },
  }),
  command({
    noun: 'subscription',
    verb: 'pause',
    summary: 'Pause an active subscription: it does not renew until it is unpaused',
    flags: { subscription },
    run: async ({ subscription }) => (await subscriptions()).pauseTyped(subscription),
  }),
  command({
    noun: 'subscription',
    verb: 'unpause',
    summary: 'Continue a paused subscription; if the paid period has ended, a new period is charged',
    flags: { subscription },
    run: async ({ subscription }) => (await subscriptions()).unpauseTyped(subscription),
  }),
  command({
    noun: 'mandate',
    verb: 'activate',
    summary: 'Activate a pending payment method, and charge the orders that waited for it (test mode)',
    flags: { subscription },
    run: async ({ subscription }) => (await mandates()).activateMandate(subscription),
  }),
  command({
    noun: 'mandate',
    verb: 'decline',
    summary: 'Make the test provider decline charges of a payment method from now on',
    flags: {
      subscription,
      reason: { value: 'REASON', help: 'the reason (default: general_failure)', oneOf: failureReasons },
    },
    run: async ({ subscription, reason }) =>
      (await mandates()).declineMandate(subscription, (reason as FailureReason | undefined) ?? 'general_failure'),
  }),
  command({
    noun: 'mandate',
    verb: 'return',
    summary: 'Make the bank return each later direct debit of a payment method, five days after it is paid',
    flags: {
      subscription,
      code: { value: 'CODE', help: "the bank's reason code, ISO 20022 (default: AM04)", oneOf: returnCodes },
    },
    run: async ({ subscription, code }) => (await mandates()).returnDebits(subscription, code),
  }),
  command({
    noun: 'mandate',
    verb: 'accept',
    summary: 'Make the test provider accept charges of a payment method again, without returned debits',
    flags: { subscription },
    run: async ({ subscription }) => (await mandates()).declineMandate(subscription, null),
  }),
  command({
    noun: 'refund',
    verb: 'cancel',
    summary: 'Cancel a refund; a refund that was sent is canceled at the provider, if the provider still can',
    flags: { refund: { value: 'ID', help: "the refund's id", required: true } },
    run: async ({ refund }) => (await recalls()).cancelTyped(refund),
  }),
]
