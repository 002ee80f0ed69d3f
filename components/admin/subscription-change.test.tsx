import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { nothingAtStake } from '@/e2e/fixtures/admin-pages.ts'
import type {
  AdminSubscription,
  ChangePage,
  NextCharges,
  RenewalsWait,
  SubscriptionPage,
} from '@/lib/modules/subscriptions/page.ts'
import { Subscription } from './subscription.tsx'
import { SubscriptionChange } from './subscription-change.tsx'

const outcome = { done: null, failed: null }
const euros = (value: string) => ({ value, currency: 'EUR' as const })
const terms = {
  subscriptionPlanId: 'plan_1',
  name: 'Basic',
  description: 'The essentials.',
  quantity: 1,
  basePrice: euros('100.00'),
  interval: 'month' as const,
  intervalCount: 1,
} as const
type Update = NonNullable<AdminSubscription['scheduledUpdate']>

const nothingComing = { nextCharge: null, waiting: null, isHeld: false }
const values = { subscriptionPlanId: '', quantity: '', 'price.value': '', when: 'now', prorate: 'yes', invoice: 'now' }
const text = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

const of = (scheduled: Partial<Update> | null): AdminSubscription => ({
  id: 'subscription_1',
  resource: 'subscription',
  testmode: true,
  customerId: 'customer_1',
  ...terms,
  billingAddress: {} as AdminSubscription['billingAddress'],
  status: 'active',
  cancellationReason: null,
  cancellationFeedback: null,
  metadata: null,
  mandate: null,
  startedAt: null,
  endedAt: null,
  canceledAt: null,
  renewedAt: null,
  renewedUntil: null,
  paidUntil: null,
  nextRenewalAt: null,
  trialUntil: null,
  scheduledUpdate: scheduled && ({ ...terms, effectiveAt: '2025-07-01T00:00:00Z', ...scheduled } as Update),
  recovery: null,
  links: {} as AdminSubscription['links'],
})

const change = (scheduled: Partial<Update> | null, plans: ChangePage['plans'] = []) => {
  const page = {
    subscription: of(scheduled),
    plans,
    values,
    renewalsWait: null,
    problems: {},
    preview: null,
    terms: '',
    needsCode: false,
    formKey: '',
  }
  return renderToStaticMarkup(<SubscriptionChange outcome={outcome} page={page} path="" />)
}

const shown = (scheduled: Partial<Update> | null, more: Partial<SubscriptionPage> = {}) => {
  const page: SubscriptionPage = {
    subscription: of(scheduled),
    email: 'ada@example.com',
    links: null,
    deliveries: [],
    paymentBehavior: null,
    ...nothingComing,
    outstanding: [],
    renewalsWait: null,
    lacksMethod: false,
    actions: [],
    problems: {},
    mayChange: true,
    timeline: [],
    moreUrl: null,
    ...more,
  }
  return renderToStaticMarkup(<Subscription outcome={outcome} page={page} path="" />)
}

describe('a scheduled change', () => {
  const dearer = { basePrice: euros('120.00') }
  const five = '5 × Basic, €100.00, every month on 1 Jul 2025, 00:00 UTC'

  test('a scheduled change is shown on the page of the subscription and above the form for a subscription change', () => {
    expect(text(shown({ quantity: 5 }))).toContain(`From the next renewal${five}`)
    expect(text(change({ quantity: 5 }))).toContain(`From the next renewal${five}`)
    for (const page of [shown(null), change(null)]) expect(page).not.toContain('next renewal on')
  })

  test('an empty field of the subscription-change form keeps the scheduled value', () => {
    expect(change({ quantity: 5 })).toContain(
      'Now 1, 5 from the next renewal on. If empty, both quantities stay the same.',
    )
    expect(change({ quantity: 5 })).toContain('Now €100.00. If empty,')
    expect(change(dearer)).toContain('Now €100.00, €120.00 from the next renewal on.')
    expect(change(dearer)).toContain('Now 1. If empty, the quantity does not change.')
  })

  test('a scheduled plan switch is withdrawn by choosing the current plan', () => {
    expect(text(change({ subscriptionPlanId: 'plan_2', name: 'Pro' }))).toContain(
      'Basic (keep this plan instead of the scheduled plan)',
    )
    expect(change({ quantity: 5 })).not.toContain('keep this plan')
  })
})

test.each([
  ['subscriptionPlanId', 'Plan', { code: 'nothingTyped' }],
  ['subscriptionPlanId', 'Plan', { code: 'planGone' }],
  ['when', 'When', { code: 'paused' }],
  ['when', 'When', { code: 'canceled' }],
  ['when', 'When', { code: 'creditExceedsCharge' }],
  ['when', 'When', { code: 'tooLittle', least: { value: '0.50', currency: 'EUR' } }],
] as const)(
  'a problem with the field %s of a subscription change is shown at the form field with the label %s: %j',
  (field, label, problem) => {
    const page = {
      subscription: of(null),
      plans: [],
      values,
      problems: { [field]: problem },
      renewalsWait: null,
      preview: null,
      terms: '',
      needsCode: false,
      formKey: '',
    }
    const html = renderToStaticMarkup(<SubscriptionChange outcome={outcome} page={page} path="" />)
    const [, sentence = ''] =
      new RegExp(`id="${field}-error"[^>]*>(?:<svg.*?</svg>)?(?:<[^>]*>)*([^<]+)`).exec(html) ?? []
    expect(sentence).not.toBe('')
    expect(html).toMatch(new RegExp(`<a [^>]*href="#${field}"[^>]*>${label}: `))
    expect(text(html)).toContain(`${label}: ${sentence}`)
    if ('least' in problem) expect(sentence).toContain('€0.50')
  },
)

test('the form for a subscription change distinguishes plans with the same name by their billing interval', () => {
  const plan = { name: 'Pro', price: { value: '10.00', currency: 'EUR' }, intervalCount: 1 } as const
  const html = change(null, [
    { ...plan, id: 'a', interval: 'month' },
    { ...plan, id: 'b', interval: 'year' },
  ])
  expect(text(html)).toContain('Pro: €10.00, every monthPro: €10.00, every year')
})

test('the page of a subscription shows an outstanding amount, its next attempt, and the end of the paid time', () => {
  const order = {
    orderId: 'order_1',
    total: euros('12.10'),
    isOnItsWay: false,
    isShared: false,
    hasFailed: true,
    retryAt: '2025-07-03T00:00:00Z',
    writtenOffAt: null,
  } as const
  expect(text(shown(null))).not.toMatch(/Outstanding|Billed until/)
  const subscription = { ...of(null), paidUntil: '2025-07-01T00:00:00Z' }
  const renewed = text(shown(null, { outstanding: [order], subscription }))
  expect(renewed).toContain('Outstanding€12.10 payment failed; next retry at 3 Jul 2025, 00:00 UTC')
  expect(renewed).toContain('Paid until1 Jul 2025, 00:00 UTC')
})

test('the page of a subscription shows the reason and the comment of the customer’s cancellation', () => {
  const said = (cancellationFeedback: AdminSubscription['cancellationFeedback']) =>
    text(shown(null, { subscription: { ...of(null), cancellationFeedback } }))
  expect(said({ reason: 'too_expensive', comment: 'See <you>' })).toContain('It costs too much: See &lt;you&gt;')
  expect(said({ reason: null, comment: 'Bye' })).toContain('Customer’s reasonBye')
  expect(said(null)).not.toContain('Customer’s reason')
})

test('for a storefront that is suspended or on hold, every text about the next charge says that the charge waits', () => {
  const nextCharge = { total: euros('12.10'), at: '2025-07-01T00:00:00Z' }
  const stakes = { ...nothingAtStake, next: nextCharge }
  const actions = [{ action: 'resume', stakes, terms: '', isOpen: true, needsCode: false, formKey: '' }] as const
  const preview = { changesAnything: true, now: null, atRenewal: null, ...nothingComing, nextCharge }
  const said = (renewalsWait: 'suspended' | 'onHold' | null) => {
    const page = {
      subscription: of(null),
      plans: [],
      values,
      problems: {},
      preview,
      terms: '',
      needsCode: false,
      formKey: '',
      renewalsWait,
    }
    const changing = renderToStaticMarkup(<SubscriptionChange outcome={outcome} page={page} path="" />)
    return text(shown(null, { nextCharge, actions, renewalsWait }) + changing).match(
      /This charge is not made while [^.]*\./g,
    )
  }
  expect(said('suspended')).toEqual(
    Array.from({ length: 3 }, () => 'This charge is not made while the storefront is suspended.'),
  )
  expect(said('onHold')).toEqual(
    Array.from({ length: 3 }, () => 'This charge is not made while the storefront is on hold.'),
  )
  expect(said(null)).toBeNull()
})

/** Returns the HTML of a subscription's page and of its change page. The pause form is open. */
function everywhere(coming: NextCharges, renewalsWait: RenewalsWait): string {
  const { nextCharge: next, waiting, isHeld } = coming
  const stakes = { ...nothingAtStake, next, waiting, isHeld }
  const actions = [{ action: 'pause', stakes, terms: '', isOpen: true, needsCode: false, formKey: '' }] as const
  const preview = { changesAnything: true, now: null, atRenewal: null, ...coming }
  const page = {
    subscription: of(null),
    plans: [],
    values,
    problems: {},
    preview,
    terms: '',
    needsCode: false,
    formKey: '',
    renewalsWait,
  }
  const changing = renderToStaticMarkup(<SubscriptionChange outcome={outcome} page={page} path="" />)
  return text(shown(null, { ...coming, actions, renewalsWait }) + changing)
}

test('while a payment is outstanding, the page of a subscription states the total of the further due periods separately from the next charge', () => {
  const nextCharge = { total: euros('150.00'), at: '2025-07-01T00:00:00Z' }
  const waiting = { count: 2, total: euros('300.00') }
  const said = everywhere({ waiting, nextCharge, isHeld: false }, null)
  const sentence =
    'When the outstanding amount is paid, 2 other periods that are already due are charged immediately: €300.00 in total.'
  expect(said.split(sentence)).toHaveLength(4)
  expect(said.split('Then €150.00 on 1 Jul 2025, 00:00 UTC')).toHaveLength(3)
  expect(said).toContain(`${sentence} The charge after that is €150.00 at 1 Jul 2025, 00:00 UTC.`)
  const one = everywhere({ waiting: { ...waiting, count: 1 }, nextCharge: null, isHeld: false }, null)
  expect(one).toContain('another period that is already due is charged immediately: €300.00.')
  expect(one).not.toMatch(/Then|Nothing is charged later/)
})

test('while the storefront is suspended, the page of a subscription states that a renewal is due but is not charged', () => {
  const said = everywhere({ ...nothingComing, isHeld: true }, 'suspended')
  const sentence = 'A renewal is due. It is not charged while the storefront is suspended.'
  expect(said.split(sentence)).toHaveLength(4)
  expect(said).not.toContain('Nothing is charged later')
})
