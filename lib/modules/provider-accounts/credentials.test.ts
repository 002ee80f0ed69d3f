import { describe, expect, it } from 'vitest'
import { checkedCredentials, requireStoredCredentials } from './credentials.ts'

const mollie = { apiKey: 'live_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu' }
const stripe = { apiKey: 'sk_live_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu' }

describe('credentials', () => {
  it.each([
    ['mollie', mollie, { ...mollie, accessToken: null, webhookSecret: null }],
    [
      'mollie',
      { ...mollie, accessToken: 'access_1234' },
      { ...mollie, accessToken: 'access_1234', webhookSecret: null },
    ],
    ['stripe', { ...stripe, webhookSecret: undefined }, { ...stripe, accessToken: null, webhookSecret: null }],
    ['mollie', { ...mollie, accessToken: '' }, { ...mollie, accessToken: null, webhookSecret: null }],
    ['stripe', { apiKey: 'rk_live_1234' }, { apiKey: 'rk_live_1234', accessToken: null, webhookSecret: null }],
  ])('the payment provider %s accepts the credentials %j', (provider, typed, checked) => {
    expect(checkedCredentials(provider, typed)).toEqual(checked)
  })

  it.each([
    [
      'mollie',
      { apiKey: 'test_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu' },
      { apiKey: [expect.stringMatching(/^Must be a live key/)] },
    ],
    ['stripe', { apiKey: 'sk_test_1234' }, { apiKey: [expect.stringMatching(/^Must be a live key.*no key\.$/)] }],
    ['stripe', mollie, { apiKey: [expect.stringContaining('Stripe')] }],
    ['mollie', { ...mollie, accessToken: 'live_1234' }, { accessToken: [expect.stringContaining('access_')] }],
    ['mollie', { ...mollie, webhookSecret: 'x'.repeat(32) }, { webhookSecret: ['Is not a credential of mollie.'] }],
    ['stripe', { ...stripe, webhookSecret: 'short' }, { webhookSecret: ['Must be at least 32 characters.'] }],
    ['sandbox', mollie, { provider: ['Must be one of mollie, stripe.'] }],
  ])('the payment provider %s refuses the credentials %j', (provider, typed, on) => {
    expect(() => checkedCredentials(provider, typed)).toThrow(
      expect.objectContaining({ code: 'validation_failed', on }),
    )
  })

  it.each(['accessToken', 'webhookSecret'] as const)(
    'a change of the credentials is refused if it omits a stored %s, and is accepted with a new or an empty value',
    (name) => {
      const stored = { ...mollie, accessToken: null, webhookSecret: null, [name]: 'access_1234' }
      const problem = { [name]: [expect.stringMatching(/^Is stored for this account, so enter it too\./)] }
      expect(() => requireStoredCredentials(mollie, stored)).toThrow(
        expect.objectContaining({ code: 'validation_failed', on: problem }),
      )
      for (const value of ['access_5678', ''])
        expect(() => requireStoredCredentials({ ...mollie, [name]: value }, stored)).not.toThrow()
    },
  )

  it('a change of the credentials may omit a credential that is not stored', () => {
    const stored = { ...mollie, accessToken: null, webhookSecret: null }
    expect(() => requireStoredCredentials(mollie, stored)).not.toThrow()
  })
})
