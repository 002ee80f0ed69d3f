import { expect, it, vi } from 'vitest'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { registry } from '../../providers/registry.ts'
import { lookingForChargebacks } from './missed.ts'

const minute = 60_000
const day = 24 * 60 * minute

it('if the search for old chargebacks fails for one account, only this account is searched again before the next day', async () => {
  let isAway = true
  const looked: string[] = []
  const account = (name: string, fails: () => boolean) => {
    async function* recentChargebacks(since?: Date) {
      looked.push(`${name} ${since ? 'far' : 'newest'}`)
      if (since && fails()) throw new Error('the provider is away')
      yield []
    }
    return { name, recentChargebacks } as unknown as PaymentProvider
  }
  vi.spyOn(registry, 'connected').mockReturnValue([account('first', () => isAway), account('second', () => false)])
  const look = lookingForChargebacks()
  const at = async (ms: number) => {
    looked.length = 0
    await look(1_800_000_000_000 + ms).catch((error) => looked.push(error.message))
    return [...looked]
  }
  expect(await at(0)).toEqual(['first far', 'second far', 'the provider is away'])
  isAway = false
  expect(await at(minute)).toEqual(['first newest', 'second newest'])
  expect(await at(5 * minute)).toEqual(['first far', 'second newest'])
  expect(await at(day)).toEqual(['first newest', 'second far'])
})
