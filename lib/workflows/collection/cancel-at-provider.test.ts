import { expect, it, vi } from 'vitest'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { Payment } from '../../modules/payments/store.ts'
import { cancelAtProvider } from './cancel-at-provider.ts'

const cancelPayment = vi.hoisted(() => vi.fn())
vi.mock('../../providers/index.ts', () => ({ providerFor: () => ({ cancelPayment }) }))

const open = { id: 'payment_1', status: 'open', ref: 'sandbox_1' } as Payment
const answer = (status: ProviderPayment['status']) => cancelPayment.mockResolvedValueOnce({ ref: 'sandbox_1', status })
const tenant = { storefrontId: 'storefront_1', testmode: true }

it('a payment counts as canceled in our books even if the provider cannot cancel it', async () => {
  answer('open')
  expect(await cancelAtProvider(tenant, open)).toEqual({ ref: 'sandbox_1', status: 'canceled' })
  expect(cancelPayment).toHaveBeenCalledTimes(1)
})

it.each(['canceled', 'paid', 'pending'] as const)(
  'canceling a payment returns the status that the provider reports: %s',
  async (status) => {
    answer(status)
    expect(await cancelAtProvider(tenant, open)).toEqual({ ref: 'sandbox_1', status })
  },
)
