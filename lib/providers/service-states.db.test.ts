import { afterAll, beforeEach, expect, it } from 'vitest'
import { nameOf } from '../modules/provider-accounts/names.ts'
import { insertAccount } from '../modules/provider-accounts/store.ts'
import { newId } from '../platform/crypto/identity.ts'
import { db } from '../platform/db/db.ts'
import { serviceProblems } from '../platform/outbound/service-problems.ts'
import { aShop } from '../testing/shop.ts'
import { serviceStates, serviceTroubles } from './index.ts'

beforeEach(() => serviceProblems().forget())
afterAll(() => serviceProblems().forget())

it('the state `payments` contains the problem of a provider account with the start time, and only the admin area gets the account id', async () => {
  const { storefrontId } = await aShop()
  const createdAt = new Date()
  const account = { id: newId('provider_account_', createdAt), storefrontId, provider: 'mollie', createdAt } as const
  const credentials = { apiKey: 'live_0123456789', accessToken: null, webhookSecret: null }
  await insertAccount(db(), { ...account, endedAt: null }, credentials)
  expect(await serviceTroubles()).toMatchObject({ payments: null, rates: null })
  expect((await serviceStates()).payments).toBe('ok')

  serviceProblems().report({ kind: 'payments', account: nameOf(account) }, 'answers 503')
  const { payments } = await serviceTroubles()
  expect(payments).toEqual({ problem: 'answers 503', since: expect.any(Date), account: account.id })
  expect((await serviceStates()).payments).toBe(
    `answers 503 since ${payments?.since.toISOString()} (account of a storefront)`,
  )
})
