import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialsOf } from '../../modules/provider-accounts/store.ts'
import { db } from '../../platform/db/db.ts'
import { answer, isRefused } from '../../testing/command-line.ts'
import { configure } from '../../testing/configure.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'

const cases = [
  {
    provider: 'mollie',
    start: liveMollie,
    apiKey: 'live_storedstoredstored',
    flag: '--access-token',
    field: 'accessToken',
    values: ['access_firstfirst', 'access_secondsecond'],
  },
  {
    provider: 'stripe',
    start: liveStripe,
    apiKey: 'sk_live_storedstoredstored',
    flag: '--webhook-secret',
    field: 'webhookSecret',
    values: [`whsec_first${'x'.repeat(32)}`, `whsec_second${'x'.repeat(32)}`],
  },
] as const

describe.each(cases)('an account at $provider with $flag', ({ provider, start, apiKey, flag, field, values }) => {
  const [first, second] = values
  let live: LiveProvider
  let shop: Shop
  let accountId: string

  const set = () => `provider-account set --storefront ${shop.storefrontId} --provider ${provider} --api-key ${apiKey}`
  const replace = () => `provider-account replace-key --account ${accountId} --api-key ${apiKey}`
  const stored = () => credentialsOf(db(), { id: accountId, provider })

  beforeAll(async () => {
    live = await start({ apiKey })
    configure({ [`${provider.toUpperCase()}_API_BASE`]: live.account.base })
    live.reset()
    shop = await aShop()
    ;({ accountId } = await answer(`${set()} ${flag} ${first} --json`))
  })
  afterAll(async () => {
    configure({ [`${provider.toUpperCase()}_API_BASE`]: undefined })
    await live.close()
  })

  it('`provider-account replace-key` and `set` refuse an input that omits a stored credential', async () => {
    for (const line of [replace(), set()])
      expect((await isRefused(line)).message).toBe(
        `${flag}: Is stored for this account, so enter it too. An empty value deletes the stored value.`,
      )
    expect(await stored()).toMatchObject({ apiKey, [field]: first })
  })

  it('`provider-account replace-key` replaces a stored credential', async () => {
    expect(await answer(`${replace()} ${flag} ${second} --json`)).toMatchObject({ accountId })
    expect(await stored()).toMatchObject({ apiKey, [field]: second })
  })

  it('`provider-account replace-key` with an empty value deletes a stored credential, and then needs no value', async () => {
    await answer(`${replace()} ${flag}= --json`)
    expect(await stored()).toMatchObject({ apiKey, [field]: null })
    expect(await answer(`${replace()} --json`)).toMatchObject({ accountId })
  })

  it('an account that ends while `provider-account replace-key` runs stays ended', async () => {
    const lock = {
      sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [`provider_accounts ${shop.storefrontId}`],
    }
    const end = () => answer(`provider-account end --storefront ${shop.storefrontId} --json`)
    const racers = [end, () => answer(`${replace()} --json`)]
    const ends = await raceBehind(lock, racers, 2, undefined, { inTurn: true })
    expect(ends).toMatchObject([{ status: 'fulfilled' }, { value: { accountId, takesNewPayments: false } }])
    const accounts = await answer(`provider-account list --storefront ${shop.storefrontId} --json`)
    expect(accounts).toMatchObject([{ accountId, takesNewPayments: false }])
  })
})
