import { expect, it } from 'vitest'
import { liveProviderNames } from '../../platform/config-providers.ts'
import { db } from '../../platform/db/db.ts'

it('the table provider_accounts accepts each provider of live payments', async () => {
  const [constraint] = await db().$queryRaw<{ definition: string }[]>`
    SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'provider_accounts_provider'`
  const taken = [...(constraint?.definition.matchAll(/'(\w+)'/g) ?? [])].map(([, name]) => name)
  expect(taken.sort()).toEqual([...liveProviderNames].sort())
})
