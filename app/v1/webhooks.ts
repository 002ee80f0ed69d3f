import { eventShapes, SetupEventShape } from '@/lib/modules/webhooks/contract.ts'
import type { Webhook } from '@/lib/platform/http/openapi.ts'

type Name = keyof typeof eventShapes

const whenSent: Record<Name, string> = {
  'order.paid': 'An order is paid. Sent again if the order is paid after a returned direct debit.',
  'order.canceled': 'An order is canceled.',
  'order.payment_failed': 'A charge is declined, or a direct debit is returned, and a recovery begins.',
  'order.chargeback_received': 'A chargeback arrives. `entityId` is the order, and `object` is the chargeback.',
  'order.chargeback_reversed':
    'A chargeback is won or rejected. `entityId` is the order, and `object` is the chargeback.',
  'refund.completed': 'A refund is done.',
  'refund.failed': 'A refund failed.',
  'refund.canceled': 'A refund is canceled.',
  'subscription.started': 'A subscription starts.',
  'subscription.updated': 'A subscription is changed or renewed. `reason` says which.',
  'subscription.update_scheduled': 'A change is scheduled for the next renewal.',
  'subscription.billing_updated': 'The billing details or the payment method of a subscription change.',
  'subscription.resumed': 'A canceled subscription is resumed in its grace period.',
  'subscription.canceled_immediately': 'A subscription is canceled at once.',
  'subscription.canceled_for_nonpayment': 'A subscription is canceled because a recovery ended without a payment.',
  'subscription.canceled_with_grace_period': 'A subscription is canceled at the end of the paid period.',
  'subscription.cancellation_grace_period_completed': 'The grace period of a canceled subscription ends.',
  'checkout.paid': 'A checkout is paid.',
  'checkout.failed': 'A payment of a checkout is declined.',
  'checkout.canceled': 'A buyer cancels a checkout.',
  'checkout.expired': 'A checkout expires.',
  'one_off_product.update_submitted': 'An update of a product is submitted for review.',
  'one_off_product.update_approved': 'An update of a product is approved.',
  'one_off_product.update_rejected': 'An update of a product is rejected.',
  'one_off_product.archived': 'A product is archived.',
  'one_off_product.unarchived': 'A product is back on sale.',
  'subscription_plan.update_submitted': 'An update of a plan is submitted for review.',
  'subscription_plan.update_approved': 'An update of a plan is approved.',
  'subscription_plan.update_rejected': 'An update of a plan is rejected.',
  'subscription_plan.archived': 'A plan is archived.',
  'subscription_plan.unarchived': 'A plan is back on sale.',
}

const setup: Webhook = {
  name: 'webhook.setup',
  summary: 'A webhook endpoint is registered, or its URL changes. The endpoint must respond with 2xx.',
  payload: SetupEventShape,
}

export const webhooks: readonly Webhook[] = [
  ...(Object.keys(eventShapes) as Name[]).map((name) => ({
    name,
    summary: whenSent[name],
    payload: eventShapes[name],
  })),
  setup,
]
