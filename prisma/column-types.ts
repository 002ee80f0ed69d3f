// The types of columns with a closed set of values. `/// [Name]` above a column in schema.prisma names its type here. The types come from the state tables and
// lists of the code, so a misspelled value does not compile.
import type * as calendar from '../lib/kernel/calendar.ts'
import type * as currencies from '../lib/kernel/currencies.ts'
import type * as keyScope from '../lib/kernel/key-scope.ts'
import type * as locale from '../lib/kernel/locale.ts'
import type * as audit from '../lib/modules/audit/rules/entry.ts'
import type * as logo from '../lib/modules/brand/rules/logo.ts'
import type * as product from '../lib/modules/catalog/rules/product.ts'
import type * as chargeback from '../lib/modules/chargebacks/rules/state.ts'
import type * as checkout from '../lib/modules/checkouts/rules/state.ts'
import type * as email from '../lib/modules/emails/rules/email.ts'
import type * as suppression from '../lib/modules/emails/rules/suppression.ts'
import type * as horizons from '../lib/modules/events/horizons.ts'
import type * as access from '../lib/modules/operators/rules/access.ts'
import type * as order from '../lib/modules/orders/rules/order.ts'
import type * as withdrawal from '../lib/modules/orders/rules/withdrawal.ts'
import type * as declared from '../lib/modules/orders/withdrawals.ts'
import type * as provider from '../lib/modules/payments/provider-data.ts'
import type * as failure from '../lib/modules/payments/rules/failure.ts'
import type * as method from '../lib/modules/payments/rules/method.ts'
import type * as payment from '../lib/modules/payments/rules/state.ts'
import type * as payout from '../lib/modules/payouts/rules/state.ts'
import type * as recovery from '../lib/modules/recovery/rules/recovery.ts'
import type * as schedule from '../lib/modules/recovery/rules/schedule.ts'
import type * as refund from '../lib/modules/refunds/rules/state.ts'
import type * as feedback from '../lib/modules/subscriptions/rules/feedback.ts'
import type * as subscriptionState from '../lib/modules/subscriptions/rules/state.ts'
import type * as subscription from '../lib/modules/subscriptions/rules/subscription.ts'
import type * as arithmetic from '../lib/modules/tax/rules/arithmetic.ts'
import type * as liveTax from '../lib/modules/tax/rules/live-mode-tax.ts'
import type * as registration from '../lib/modules/tax/rules/registration.ts'
import type * as taxFacts from '../lib/modules/tax/rules/tax-facts.ts'
import type * as taxTypes from '../lib/modules/tax/rules/tax-types.ts'
import type * as unknown from '../lib/modules/unknown-payments/rules/choose.ts'
import type * as delivery from '../lib/modules/webhooks/rules/state.ts'
import type * as liveProviders from '../lib/platform/config-providers.ts'
import type * as tasks from '../lib/platform/jobs/tasks.ts'
import type * as sandbox from '../lib/providers/sandbox/store.ts'

declare global {
  namespace Column {
    type ActorKind = audit.Entry['actor']['kind']
    type CancellationFeedbackReason = (typeof feedback.feedbackReasons)[number]
    type CancellationReason = NonNullable<subscription.Subscription['cancellationReason']>
    type ChargebackStatus = chargeback.ChargebackStatus
    type CheckoutStatus = checkout.CheckoutStatus
    type Collects = recovery.Collects
    type Currency = currencies.Currency
    type DeliveryStatus = delivery.DeliveryStatus
    type EmailKind = email.EmailKind
    type EmailStatus = email.EmailStatus
    type FailureReason = failure.FailureReason
    type Interval = calendar.Interval
    type KeyScope = keyScope.KeyScope
    type LineKind = order.LineKind
    type LiveProviderName = liveProviders.LiveProviderName
    type Locale = locale.Locale
    type LogoExtension = logo.LogoExtension
    type MandateMethod = subscription.MandateMethod
    type MandateStatus = subscription.Mandate['status']
    type OrderStatus = order.OrderStatus
    type PaymentMethod = method.PaymentMethod
    type PaymentStatus = payment.PaymentStatus
    type PayoutStatus = payout.PayoutStatus
    type ProductKind = product.ProductKind
    type ProductStatus = product.Product['status']
    type ProductType = product.ProductType
    type RecoveryKind = schedule.RecoveryKind
    type RecoveryStatus = recovery.RecoveryStatus
    type RefundStatus = refund.RefundStatus
    type RegistrationScheme = registration.RegistrationScheme
    type RemovedKind = horizons.RemovedKind
    type ResumesTo = NonNullable<subscription.Subscription['resumesTo']>
    type Review = NonNullable<product.Review>
    type Role = access.Role
    type SandboxChargebackStatus = sandbox.SandboxChargeback['status']
    type SandboxPaymentStatus = sandbox.SandboxPayment['status']
    type SandboxRefundStatus = provider.ProviderRefund['status']
    type SimulatedStatus = 'paid' | 'failed'
    type SubscriptionStatus = subscriptionState.SubscriptionStatus
    type SuppressionCause = suppression.SuppressionCause
    type TaskClock = tasks.Task<unknown>['clock']
    type TaskQueue = tasks.Queue | typeof tasks.dispatchQueue
    type TaxBehavior = arithmetic.TaxBehavior
    type TaxIdRegistry = liveTax.TaxIdRegistry
    type TaxIdResult = taxFacts.TaxIdResult
    type TaxReason = taxTypes.TaxDecision['reason']
    type UnknownPaymentStatus = unknown.UnknownPayment['status']
    type WithdrawalKind = withdrawal.WithdrawalKind
    type WithdrawalSource = declared.DeclaredWithdrawal['source']
  }
}
