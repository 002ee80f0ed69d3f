/**
 * The points at which the crash tests end the process: between any two of them something is written, sent or committed.
 */
export const failpoints = [
  'task.begun',
  'renewal.locked',
  'renewal.saved',
  'renewal.notified',
  'renewal.ordered',
  'renewal.charge_created',
  'renewal.period_written',
  'renewal.timer_set',
  'charge.before_provider',
  'charge.after_provider',
  'charge.locked',
  'charge.recorded',
  'charge.order_paid',
  'charge.notified',
  'recovery.opened',
  'recovery.notified',
  'recovery.step_saved',
  'recovery.step_set',
  'recovery.email_enqueued',
  'recovery.order_written_off',
  'recovery.subscription_ended',
  'refund.inserted',
  'refund.queue_resumed',
  'refund.before_provider',
  'refund.after_provider',
  'refund.locked',
  'refund.credited',
  'refund.posted',
  'chargeback.after_provider',
  'chargeback.locked',
  'chargeback.inserted',
  'chargeback.moved',
  'transaction.before_commit',
  'transaction.committed',
] as const
export type Failpoint = (typeof failpoints)[number]

// Set only in the process of a crash test; a no-op anywhere else.
const shared = globalThis as typeof globalThis & { billhookFailpoint?: ((name: Failpoint) => void) | undefined }

export const failpoint = (name: Failpoint): void => shared.billhookFailpoint?.(name)
