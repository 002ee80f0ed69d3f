import { afterAll, beforeAll, expect, it } from 'vitest'
import { GET as metrics } from '@/app/metrics/route.ts'
import { GET as readyz } from '@/app/readyz/route.ts'
import { idPrefixes } from '../kernel/ids.ts'
import { saveCheck } from '../modules/invariants/store.ts'
import { nameOf } from '../modules/provider-accounts/names.ts'
import { insertAccount } from '../modules/provider-accounts/store.ts'
import { save as saveReconciliation } from '../modules/reconciliations/store.ts'
import { newId } from '../platform/crypto/identity.ts'
import { db } from '../platform/db/db.ts'
import { serviceProblems } from '../platform/outbound/service-problems.ts'
import { aShop } from '../testing/shop.ts'
import { uncached } from '../testing/uncached.ts'
import { countRequest } from './request-metrics.ts'

const anyId = new RegExp(`(?:${idPrefixes.join('|')})[0-9A-Za-z]{22}`)
const createdAt = new Date()
const account = { id: newId('provider_account_', createdAt), provider: 'mollie', createdAt, endedAt: null } as const
const difference = { kind: 'refund_unknown', ref: 're_1', id: null, ours: null, atProvider: '1.00 EUR' }

beforeAll(async () => {
  const { storefrontId } = await aShop()
  const credentials = { apiKey: 'live_0123456789', accessToken: null, webhookSecret: null }
  await insertAccount(db(), { ...account, storefrontId }, credentials)
  const compared = { payments: 1, refunds: 1, chargebacks: 0, settlements: null, finishedAt: createdAt }
  for (const [provider, count] of [
    ['mollie', 1],
    [nameOf(account), 2],
  ] as const)
    await saveReconciliation(db(), { ...compared, provider, differences: Array(count).fill(difference) })
  await saveCheck(db(), {
    day: '2026-01-05',
    finishedAt: createdAt,
    broken: { 'I1 sums': [newId('order_', createdAt)] },
  })
  countRequest({
    method: 'GET',
    route: null,
    path: `/checkout/${newId('checkout_', createdAt)}`,
    status: 200,
    seconds: 1,
  })
})
afterAll(() => serviceProblems().forget())

it('/metrics has no id in any label, and adds up the differences of all accounts of a provider', async () => {
  const text = await (await uncached(metrics)).text()
  expect(text).toContain('\nbillhook_reconciliation_differences{provider="mollie"} 3\n')
  expect(text.match(/^billhook_reconciliation_differences/gm)).toHaveLength(1)
  expect(text).not.toMatch(anyId)
})

it.each([
  ['payments', {}],
  ['key', {}],
  ['account', { purpose: 'charges' }],
] as const)(
  '/readyz has no id in its texts while an account of a storefront has a problem of the kind "%s"',
  async (kind, more) => {
    const service = { kind, account: nameOf(account), ...more }
    serviceProblems().report(service, 'answers 503')
    const text = await (await uncached(readyz)).text()
    expect(JSON.parse(text)).toMatchObject({
      status: 'degraded',
      payments: expect.stringMatching(/^answers 503 since \S+ \(account of a storefront\)$/),
      invariants: 'broken on 2026-01-05: I1 sums',
    })
    expect(text).not.toMatch(anyId)
    serviceProblems().resolve(service)
  },
)
