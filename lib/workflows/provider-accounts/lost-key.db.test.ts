import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approveReview } from '../../modules/catalog/operations.ts'
import { ProviderUnavailable } from '../../modules/payments/provider-unavailable.ts'
import { credentialsOf } from '../../modules/provider-accounts/store.ts'
import { db } from '../../platform/db/db.ts'
import { acceptSecretKey, proveSecretKey } from '../../server/secret-key.ts'
import { answer, isRefused } from '../../testing/command-line.ts'
import { configure } from '../../testing/configure.ts'
import * as stock from '../../testing/factories.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, buyerForm, germanVisitor, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { oneAddress } from '../../testing/stand-ins/one-address.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

const cases = [
  { provider: 'mollie', start: liveMollie, prefix: 'live_' },
  { provider: 'stripe', start: liveStripe, prefix: 'sk_live_' },
] as const

describe.each(cases)('after the key that encrypted the credentials at $provider is lost', ({ provider, ...of }) => {
  const keys = {
    first: `${of.prefix}firstfirstfirst`,
    second: `${of.prefix}secondsecondsecond`,
    third: `${of.prefix}thirdthirdthird`,
  }
  let first: LiveProvider
  let second: LiveProvider
  let address: Awaited<ReturnType<typeof oneAddress>>
  let number = 0

  const set = ({ storefrontId }: Shop, key: string) =>
    `provider-account set --storefront ${storefrontId} --provider ${provider} --api-key ${key} --json`
  const accountsOf = async ({ storefrontId }: Shop) =>
    (await answer(`provider-account list --storefront ${storefrontId} --json`)).map(
      ({ accountId, takesNewPayments }: { accountId: string; takesNewPayments: boolean }) => [
        accountId,
        takesNewPayments,
      ],
    )
  async function beginSale({ liveKey }: Shop): Promise<string | undefined> {
    const { id } = await stock.aPlan(liveKey, { basePrice: stock.price('10.00') })
    await approveReview(id)
    const checkout = await stock.aCheckout(liveKey, id)
    const form = buyerForm({ email: `${checkout.id}@example.com` })
    return (await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), form, germanVisitor))?.redirectTo
  }
  async function loseKey(): Promise<void> {
    configure({ SECRET_KEY: `the secret ${++number} of a test that is long enough`, SECRET_KEY_PREVIOUS: undefined })
    expect(await acceptSecretKey()).toEqual({ accepted: true })
  }

  beforeAll(async () => {
    configure({ SECRET_KEY: `the secret of the tests at ${provider}, long enough`, SECRET_KEY_PREVIOUS: undefined })
    await db().key_proofs.deleteMany()
    await proveSecretKey().catch(acceptSecretKey)
    first = await of.start({ apiKey: keys.first })
    second = await of.start({ apiKey: keys.second })
    address = await oneAddress([first, second])
    configure({ [`${provider.toUpperCase()}_API_BASE`]: address.url })
    first.reset()
  })
  afterAll(async () => {
    configure({ [`${provider.toUpperCase()}_API_BASE`]: undefined })
    address.close()
    await Promise.all([first.close(), second.close()])
  })

  it('a checkout reports an unavailable provider until `provider-account set` with a key of the same account makes the account usable again', async () => {
    const shop = await aShop()
    const { accountId } = await answer(set(shop, keys.first))
    expect(await beginSale(shop)).toMatch(`${first.url}/checkout/`)
    await loseKey()
    await expect(beginSale(shop)).rejects.toBeInstanceOf(ProviderUnavailable)
    expect(await answer(set(shop, keys.first))).toMatchObject({ accountId, takesNewPayments: true })
    expect(await accountsOf(shop)).toEqual([[accountId, true]])
    expect(await beginSale(shop)).toMatch(`${first.url}/checkout/`)
  })

  it('`provider-account set` with a key of another account ends the unreadable account', async () => {
    const shop = await aShop()
    const { accountId: former } = await answer(set(shop, keys.first))
    await beginSale(shop)
    await loseKey()
    const { accountId } = await answer(set(shop, keys.second))
    expect(await accountsOf(shop)).toEqual([
      [accountId, true],
      [former, false],
    ])
    expect(await beginSale(shop)).toMatch(`${second.url}/checkout/`)
    const replace = (key: string) => `provider-account replace-key --account ${former} --api-key ${key}`
    expect((await isRefused(replace(keys.second))).message).toMatch(/^--api-key: Belongs to a different account/)
    expect(await answer(`${replace(keys.first)} --json`)).toMatchObject({ accountId: former, takesNewPayments: false })
  })

  it('`provider-account set` does not overwrite the key that a concurrent `replace-key` saves for the account', async () => {
    const shop = await aShop()
    const { accountId: id } = await answer(set(shop, keys.first))
    await beginSale(shop)
    await loseKey()
    const replace = () => {
      first.rollKey(keys.third)
      return answer(`provider-account replace-key --account ${id} --api-key ${keys.third} --json`)
    }
    const setAgain = () => {
      first.rollKey(keys.first)
      return answer(set(shop, keys.first))
    }
    const lock = {
      sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [`provider_accounts ${shop.storefrontId}`],
    }
    const ends = await raceBehind(lock, [replace, setAgain], 2, undefined, { inTurn: true })
    expect(ends).toMatchObject([
      { status: 'fulfilled', value: { accountId: id } },
      { status: 'fulfilled', value: { takesNewPayments: true } },
    ])
    expect(await credentialsOf(db(), { id, provider })).toMatchObject({ apiKey: keys.third })
    expect(await accountsOf(shop)).toEqual([
      [expect.not.stringMatching(id), true],
      [id, false],
    ])
  })

  it('`provider-account set` replaces an unreadable account without payments', async () => {
    const shop = await aShop()
    const { accountId: former } = await answer(set(shop, keys.first))
    await loseKey()
    const { accountId } = await answer(set(shop, keys.first))
    expect(await accountsOf(shop)).toEqual([
      [accountId, true],
      [former, false],
    ])
  })
})
