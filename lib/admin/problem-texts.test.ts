import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { locales } from '../kernel/locale.ts'
import { Refusal } from '../kernel/refusal.ts'
import { type Rule, RuleProblem, type RuleValues, ruleProblem } from '../kernel/rule-problem.ts'
import { ruleTexts } from '../kernel/rule-texts.ts'
import * as catalog from '../modules/catalog/contract.ts'
import { createCheckout } from '../modules/checkouts/contract.ts'
import { createPaymentLink } from '../modules/payment-links/contract.ts'
import { createRefund } from '../modules/refunds/contract.ts'
import { changeSubscription } from '../modules/subscriptions/contract.ts'
import { setPaymentBehavior } from '../modules/test-helpers/contract.ts'
import { createWebhookEndpoint } from '../modules/webhooks/contract.ts'
import { parseWith } from '../platform/http/validate.ts'
import { adminMessages } from './messages.ts'
import { problemText, problemTexts } from './problem-texts.ts'

const rules = Object.keys(ruleTexts) as Rule[]
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
const valuesOf = (rule: Rule): RuleValues =>
  Object.fromEntries(namesIn(ruleTexts[rule]).map((name) => [name, `<${name}>`]))

describe('the rules that a form can violate', () => {
  test.each(locales)(
    'every rule has a text in the admin messages of the language %s, and no other text exists',
    (locale) => {
      expect(Object.keys(adminMessages[locale].rules).sort()).toEqual([...rules].sort())
      for (const rule of rules) expect(problemText(ruleProblem(rule, valuesOf(rule)), locale), rule).not.toContain('{')
    },
  )

  test.each(locales)(
    'in the language %s, the admin text of each rule uses only placeholders that the API text also has',
    (locale) => {
      for (const rule of rules)
        expect(namesIn(ruleTexts[rule]), rule).toEqual(
          expect.arrayContaining(namesIn(adminMessages[locale].rules[rule])),
        )
    },
  )

  test('a limit is written in the format of the language', () => {
    const text = (rule: Rule, values: RuleValues) => problemText(ruleProblem(rule, values), 'de')
    expect(text('at_most', { most: 999_999 })).toBe('Der Wert darf höchstens 999.999 sein.')
    expect(text('at_least', { least: { decimal: '1000.50' } })).toBe('Der Wert muss mindestens 1.000,50 sein.')
    expect(text('before_day', { day: { day: '2026-11-23' } })).toContain('23. November 2026')
    expect(text('clock_back', { now: new Date('2026-11-23T10:00:00Z') })).toMatch(/23\.\sNovember\s2026/)
    expect(text('balance_at_most', { balance: { value: '12.50', currency: 'EUR' } })).toContain('12,50\u00a0€')
    const reasons = [
      ruleProblem('amount_disputed', { amount: { value: '1.00', currency: 'EUR' } }),
      ruleProblem('amount_in_reserve', { amount: { value: '2.00', currency: 'EUR' } }),
    ]
    expect(text('released_at_most', { released: { value: '3.00', currency: 'EUR' }, reasons })).toContain(
      '1,00\u00a0€ sind angefochten und 2,00\u00a0€ sind die Reserve',
    )
  })

  test('a form shows the first problem of each field, and does not translate a problem without a rule', () => {
    const problems = { name: [ruleProblem('required'), ruleProblem('visible')], id: ['The id is unknown.'], none: [] }
    expect(problemTexts(problems, 'fr')).toEqual({ name: adminMessages.fr.rules.required, id: 'The id is unknown.' })
  })
})

const price = (value: unknown) => ({ value, currency: 'EUR' })
const product = (value: unknown) => ({ id: value, quantity: value, price: price(value), trialDays: value })

/** The bodies that the forms of the admin area send, with the same value in every field that a person types or chooses. */
const formBodies = [
  ...[catalog.createPlan, catalog.updatePlan, catalog.createProduct, catalog.updateProduct].map(
    (endpoint) =>
      [
        endpoint,
        (value: unknown) => ({
          name: value,
          description: value,
          productType: value,
          basePrice: price(value),
          taxBehavior: value,
          interval: value,
          intervalCount: value,
        }),
      ] as const,
  ),
  [
    createCheckout,
    (value: unknown) => ({
      products: [product(value)],
      redirectUrlSuccess: value,
      redirectUrlCanceled: value,
      customerId: value,
      locale: value,
    }),
  ],
  [
    createPaymentLink,
    (value: unknown) => ({
      name: value,
      items: [{ ...product(value), minQuantity: value, maxQuantity: value }],
      redirectUrlSuccess: value,
      locale: value,
    }),
  ],
  [createPaymentLink, (value: unknown) => ({ name: value, items: [] })],
  [createWebhookEndpoint, (value: unknown) => ({ url: value, secret: value, enabledEvents: [value] })],
  [setPaymentBehavior, (value: unknown) => ({ outcome: 'failed', failureReason: value, times: value })],
  [setPaymentBehavior, () => ({ outcome: 'paid', times: 1 })],
  [changeSubscription, (value: unknown) => ({ subscriptionPlanId: value, quantity: value, price: price(value) })],
  [createRefund, (value: unknown) => ({ items: [{ itemId: value, amount: price(value) }] })],
] as const

const typedValues = [
  '',
  ' ',
  'abc',
  'a\u0000b',
  '\u200b',
  'x'.repeat(3000),
  'https://a:b@c.example/#d',
  '-1',
  0,
  -1,
  1.5,
  1e9,
]

test('every problem that the schema of a form reports has a rule', () => {
  for (const [endpoint, bodyOf] of formBodies)
    for (const value of typedValues) {
      const [, resource = ''] = /([\w-]+)s\/\{id\}/.exec(endpoint.path) ?? []
      const body = { ...bodyOf(value) } as Record<string, unknown>
      const params = { id: `${resource.replaceAll('-', '_')}_${'0'.repeat(22)}` }
      let refusal: unknown = null
      try {
        parseWith(endpoint, params, new URLSearchParams(), body)
      } catch (error) {
        refusal = error
      }
      if (refusal instanceof Refusal && refusal.code === 'validation_failed')
        for (const [field, problems] of Object.entries(refusal.problems))
          for (const problem of problems) expect(problem, `${endpoint.id} ${field}`).toBeInstanceOf(RuleProblem)
      else expect(refusal, endpoint.id).toBeNull()
    }
})

/** Fields that no form of the admin area has: ids that a person does not type, and the flags of the command line. */
const withoutForm: Readonly<Record<string, readonly string[]>> = {
  'modules/accounts/operations.ts': ['merchant'],
  'modules/accounts/store.ts': ['storefront'],
  'modules/customers/operations.ts': ['id'],
  'modules/emails/notices.ts': ['address'],
  'modules/emails/operations.ts': ['email', 'kind'],
  'modules/ledger/statement.ts': ['period'],
  'modules/operators/operations.ts': ['email', 'merchant', 'password'],
  'modules/payment-links/operations.ts': ['paymentLink'],
  'modules/payouts/export.ts': ['batch', 'out', 'storefront'],
  'modules/payouts/operations.ts': ['payout'],
  'modules/portal/operations.ts': ['customer'],
  'modules/subscriptions/lock.ts': ['subscription'],
  'modules/subscriptions/rules/change.ts': ['anchor'],
  'modules/webhooks/resend.ts': ['delivery'],
  'platform/db/backup.ts': ['from'],
  'workflows/chargeback/operations.ts': ['amount', 'chargeback', 'order', 'reason', 'to'],
  'workflows/erasure/export.ts': ['customer'],
  'workflows/erasure/operations.ts': ['customer'],
  'workflows/invoice-update/operations.ts': ['order', 'orderId'],
  'workflows/portal/submit-change.ts': ['terms'],
  'workflows/provider-accounts/operations.ts': ['account', 'apiKey', 'storefront'],
  'workflows/reconciliation/provider-ledger.ts': ['order'],
  'workflows/refund/operations.ts': ['refund'],
  'workflows/refund/recall.ts': ['refund'],
  'workflows/restore/compare.ts': ['since'],
  'workflows/restore/operations.ts': ['ref'],
  'workflows/storefronts/operations.ts': ['merchant', 'planIds'],
  'workflows/subscription-change/as-of.ts': ['asOf'],
  'workflows/subscription-change/charge-limits.ts': ['applyImmediately'],
  'workflows/tax-returns/operations.ts': ['period', 'storefront'],
  'workflows/test-helpers/mandates.ts': ['subscription'],
  'workflows/test-helpers/operations.ts': ['by', 'storefront'],
  'workflows/transfer/csv.ts': ['storefront'],
  'workflows/transfer/export.ts': ['storefront'],
  'workflows/transfer/hold.ts': ['storefront'],
  'workflows/transfer/passphrase.ts': ['passphraseFile'],
  'workflows/transfer/reseal.ts': ['storefront'],
}

test('problems without a rule concern only fields that no form of the admin area has', () => {
  const found: Record<string, string[]> = {}
  for (const file of readdirSync('lib', { recursive: true, encoding: 'utf8' })) {
    if (!/^(?:admin|kernel|modules|platform|workflows)\/.*\.ts$/.test(file) || file.includes('.test.')) continue
    const source = readFileSync(path.join('lib', file), 'utf8')
    const fields = [...source.matchAll(/invalid\(\s*'(\w+)',\s*['`]/g)].map(([, field]) => field ?? '')
    if (fields.length > 0) found[file] = [...new Set(fields)].sort()
  }
  expect(found).toEqual(withoutForm)
})
