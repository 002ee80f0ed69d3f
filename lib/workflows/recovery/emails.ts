import { storefrontName } from '../../modules/accounts/store.ts'
import { makeLink } from '../../modules/billing-updates/link.ts'
import { findCustomer } from '../../modules/customers/store.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { EmailContent } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { endsAt, type Recovery, reminderAt } from '../../modules/recovery/rules/index.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'

interface Failed {
  readonly recovery: Recovery
  readonly subscription: Subscription
  readonly order: Order
}

/** Emails the customer what is owed, what happens next and where to change the payment method. */
export async function sendReminder(tx: Transaction, failed: Failed): Promise<void> {
  const { recovery, subscription } = failed
  const { kind, failureReason: reason, nextStepAt, stepsDone } = recovery
  if (!nextStepAt) return
  const nowhere = { redirectUrlSuccess: null, redirectUrlCanceled: null, billingAddress: null }
  const updateUrl = await makeLink(tx, { subscriptionId: subscription.id, ...nowhere }, 'mail')
  await sendRecoveryEmail(
    tx,
    failed,
    kind === 'soft'
      ? { kind: 'payment_failed', reason, nextAttemptAt: nextStepAt, updateUrl }
      : {
          kind: 'payment_method_needed',
          reason,
          endsAt: endsAt(recovery) ?? nextStepAt,
          updateUrl,
          reminder: reminderAt(kind, stepsDone),
        },
  )
}

/** Emails the customer that the subscription ended. */
export const sendFinalNotice = (tx: Transaction, failed: Failed): Promise<void> =>
  sendRecoveryEmail(tx, failed, { kind: 'canceled_for_nonpayment' })

type RecoveryEmail = EmailContent extends infer Each
  ? Each extends EmailContent
    ? Omit<Each, keyof Common>
    : never
  : never
type Common = Pick<EmailContent, 'subscriptionName' | 'storefrontName' | 'seller' | 'customerName' | 'amount'>

async function sendRecoveryEmail(
  tx: Transaction,
  { subscription, order }: Failed,
  update: RecoveryEmail,
): Promise<void> {
  const { sql, ...tenant } = tx
  const customer = await findCustomer(sql, tenant, subscription.customerId)
  if (!customer) throw new Error(`subscription ${subscription.id} has no customer`)
  const common: Common = {
    subscriptionName: subscription.name,
    storefrontName: await storefrontName(sql, tenant.storefrontId),
    seller: sellerView(order.seller),
    customerName: subscription.billingAddress.fullName,
    amount: { minor: order.total, currency: order.currency },
  }
  await enqueueEmail(tx, {
    to: customer.email,
    locale: subscription.locale,
    mail: { ...common, ...update } as EmailContent,
  })
}
