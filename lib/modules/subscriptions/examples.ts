import type { Money } from '../../kernel/money.ts'
import type { Change } from './rules/change-request.ts'
import { firstPeriod } from './rules/period.ts'
import { amountOf, type PlanTerms, type Subscription } from './rules/subscription.ts'

export const euros = (minor: bigint): Money => ({ minor, currency: 'EUR' })

export const aPlan = (differences: Partial<PlanTerms> = {}): PlanTerms => ({
  planId: 'subscription_plan_0000000000000000000001',
  name: 'Basic',
  description: 'The essentials.',
  price: euros(10_000n),
  billingInterval: { interval: 'month', intervalCount: 1 },
  ...differences,
})

export const aBetterPlan = (differences: Partial<PlanTerms> = {}): PlanTerms =>
  aPlan({
    planId: 'subscription_plan_0000000000000000000002',
    name: 'Pro',
    description: 'Everything.',
    price: euros(30_000n),
    ...differences,
  })

export function aSubscription(differences: Partial<Subscription> = {}): Subscription {
  const terms = { ...aPlan(), quantity: 1, ...differences }
  const begunAt = differences.anchorAt ?? new Date('2025-06-01T00:00:00Z')
  return {
    id: 'subscription_0000000000000000000001',
    testmode: true,
    customerId: 'customer_0000000000000000000001',
    checkoutLineId: 'checkout_item_0000000000000000000001',
    billingAddress: {
      fullName: 'Ada Lovelace',
      companyName: null,
      taxId: null,
      streetAndNumber: null,
      streetAdditional: null,
      city: null,
      region: null,
      postalCode: null,
      country: 'DE',
    },
    taxBehavior: 'exclusive',
    status: 'active',
    resumesTo: null,
    mandate: {
      id: 'mandate_1',
      provider: 'sandbox',
      method: 'card',
      maskedIdentifier: '4242',
      reference: null,
      status: 'valid',
    },
    ...firstPeriod(begunAt, terms.billingInterval, amountOf(terms)),
    startedAt: begunAt,
    endedAt: null,
    canceledAt: null,
    cancellationReason: null,
    cancellationFeedback: null,
    renewedAt: null,
    trialUntil: null,
    scheduledUpdate: null,
    parked: [],
    metadata: null,
    locale: 'en',
    createdAt: begunAt,
    ...terms,
  }
}

export const aChange = (differences: Partial<Change> = {}): Change => ({
  plan: null,
  price: null,
  quantity: null,
  prorate: true,
  applyImmediately: false,
  invoiceImmediately: false,
  anchor: null,
  resetAnchor: false,
  trialUntil: null,
  ...differences,
})

export const aChangeNow = (differences: Partial<Change> = {}): Change =>
  aChange({ applyImmediately: true, ...differences })

const inTrialUntil = new Date('2025-07-15T00:00:00Z')

export const inEachState: Readonly<Record<Subscription['status'], Subscription>> = {
  created: aSubscription({
    status: 'created',
    mandate: null,
    anchorAt: null,
    cycleNumber: -1,
    period: null,
    renewedUntil: null,
    startedAt: null,
  }),
  trial: aSubscription({
    status: 'trial',
    anchorAt: inTrialUntil,
    cycleNumber: -1,
    period: null,
    renewedUntil: inTrialUntil,
    trialUntil: inTrialUntil,
    startedAt: new Date('2025-06-15T00:00:00Z'),
  }),
  active: aSubscription(),
  on_grace_period: aSubscription({
    status: 'on_grace_period',
    resumesTo: 'active',
    canceledAt: new Date('2025-06-10T00:00:00Z'),
    cancellationReason: 'customer_request',
  }),
  paused: aSubscription({ status: 'paused' }),
  canceled: aSubscription({
    status: 'canceled',
    canceledAt: new Date('2025-06-10T00:00:00Z'),
    endedAt: new Date('2025-06-10T00:00:00Z'),
    cancellationReason: 'merchant_request',
  }),
}
