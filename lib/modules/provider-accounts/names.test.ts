import { expect, it } from 'vitest'
import { accountNamed, nameOf, titleOf } from './names.ts'

const id = 'provider_account_0oh6aE4X3VqIF0u4uHA4IT'

it('the name of a provider account consists of the provider’s name and the account’s id', () => {
  expect(nameOf({ provider: 'mollie', id })).toBe(`mollie-${id}`)
  expect(accountNamed(`stripe-${id}`)).toEqual({ provider: 'stripe', id })
})

it.each([
  ['mollie', 'Mollie'],
  ['stripe', 'Stripe'],
  ['sandbox', null],
  ['toString', null],
])('the title of the payment provider %j is %j', (provider, title) => expect(titleOf(provider)).toBe(title))

it.each(['mollie', 'mollie-', `sandbox-${id}`, `toString-${id}`, `mollie-${id}x`, `mollie-${id.slice(1)}`, id, ''])(
  'the name %j is not the name of a storefront’s provider account',
  (name) => expect(accountNamed(name)).toBeNull(),
)
