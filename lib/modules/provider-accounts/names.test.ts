import { expect, it } from 'vitest'
import { accountNamed, nameOf } from './names.ts'

const id = 'provider_account_0oh6aE4X3VqIF0u4uHA4IT'

it('an account is named by its provider and its id', () => {
  expect(nameOf({ provider: 'mollie', id })).toBe(`mollie-${id}`)
  expect(accountNamed(`stripe-${id}`)).toEqual({ provider: 'stripe', id })
})

it.each(['mollie', 'mollie-', `sandbox-${id}`, `toString-${id}`, `mollie-${id}x`, `mollie-${id.slice(1)}`, id, ''])(
  '%j names no account of a storefront',
  (name) => expect(accountNamed(name)).toBeNull(),
)
