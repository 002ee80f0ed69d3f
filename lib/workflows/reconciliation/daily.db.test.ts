import { expect, it, vi } from 'vitest'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { newest } from '../../modules/reconciliations/store.ts'
import { db } from '../../platform/db/db.ts'
import { registry } from '../../providers/registry.ts'
import { reconcileNow, startReconciling } from './daily.ts'

const account = (name: string, booked: () => AsyncIterable<never>) => ({ name, booked }) as unknown as PaymentProvider

function twoAccounts() {
  const away = account('first', () => {
    throw new Error('the provider is away')
  })
  const empty = account('second', async function* () {})
  vi.spyOn(registry, 'connected').mockReturnValue([away, empty])
}

it('a provider account that does not respond does not block the comparison of other accounts', async () => {
  twoAccounts()
  const compared = async () => (await newest(db())).map(({ provider }) => provider)
  const stop = startReconciling()
  try {
    await vi.waitFor(async () => expect(await compared()).toEqual(['second']))
  } finally {
    await stop()
  }
  await db().reconciliations.deleteMany()
  await expect(reconcileNow()).rejects.toThrow('the provider is away')
  expect(await compared()).toEqual(['second'])
})
