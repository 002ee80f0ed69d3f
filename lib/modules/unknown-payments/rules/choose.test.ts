import { describe, expect, it } from 'vitest'
import { chooseUnknown, type UnknownPayment, type WantedCharge } from './choose.ts'

const eur = (minor: bigint) => ({ minor, currency: 'EUR' as const })

const charge = (differs: Partial<WantedCharge> = {}): WantedCharge => ({
  paymentId: 'p1',
  orderId: 'o1',
  provider: 'stripe',
  mandateRef: 'cus/pm',
  amount: eur(1190n),
  ...differs,
})

const made = (differs: Partial<UnknownPayment> = {}): UnknownPayment => ({
  provider: 'stripe',
  ref: 'pi_1',
  storefrontId: 's1',
  paymentId: 'lost1',
  mandateRef: 'cus/pm',
  orderId: 'lost order',
  amount: eur(1190n),
  status: 'paid',
  createdAt: new Date('2027-03-01T00:00:00Z'),
  moneyReturned: false,
  usedBy: null,
  releasedAt: null,
  ...differs,
})

const chosen = (charges: readonly WantedCharge[], unknown: readonly UnknownPayment[]) =>
  Object.fromEntries(
    [...chooseUnknown(charges, unknown)].map(([id, { kind, payment }]) => [id, `${kind} ${payment.ref}`]),
  )

describe('one charge and one unknown payment', () => {
  it.each<[string, Partial<UnknownPayment>, string | undefined]>([
    ['uses the payment if the mandate and the amount are the same', {}, 'use pi_1'],
    ['uses the payment even if the payment is pending', { status: 'pending' }, 'use pi_1'],
    [
      'uses the payment if the order is the same, even if the mandate differs',
      { orderId: 'o1', mandateRef: 'cus/other' },
      'use pi_1',
    ],
    [
      'uses the payment if the id is the same, even if the payment has no mandate',
      { paymentId: 'p1', mandateRef: null, orderId: null },
      'use pi_1',
    ],
    ['waits if the mandate is the same but the amount differs', { amount: eur(2380n) }, 'waits pi_1'],
    [
      'waits if the mandate is the same but the currency differs',
      { amount: { minor: 1190n, currency: 'USD' } },
      'waits pi_1',
    ],
    [
      'waits if the order is the same but the amount differs',
      { orderId: 'o1', mandateRef: null, amount: eur(1n) },
      'waits pi_1',
    ],
    ['ignores the payment if the mandate and the order differ', { mandateRef: 'cus/other' }, undefined],
    [
      'ignores the payment if the payment has neither a mandate nor an order',
      { mandateRef: null, orderId: null },
      undefined,
    ],
    ['ignores the payment if the provider differs', { provider: 'mollie' }, undefined],
    [
      'ignores the payment if the account at the provider differs',
      { provider: 'stripe-provider_account_1' },
      undefined,
    ],
    ['uses the payment if the charge used the payment before', { usedBy: 'p1' }, 'use pi_1'],
    ['waits if money of the payment was returned', { moneyReturned: true }, 'waits pi_1'],
    [
      'waits if money of the payment with the same id was returned',
      { paymentId: 'p1', mandateRef: null, orderId: null, moneyReturned: true },
      'waits pi_1',
    ],
    [
      'keeps the payment that the charge used before, even if money of the payment was returned',
      { usedBy: 'p1', moneyReturned: true },
      'use pi_1',
    ],
    [
      'ignores the payment if an operator released the payment, even if money of the payment was returned',
      { releasedAt: new Date('2027-03-02T00:00:00Z'), moneyReturned: true },
      undefined,
    ],
    ['ignores the payment if another charge uses the payment', { usedBy: 'p2' }, undefined],
    [
      'ignores the payment if another charge uses the payment and the amount differs',
      { usedBy: 'p2', amount: eur(1n) },
      undefined,
    ],
    [
      'ignores the payment if an operator released the payment',
      { releasedAt: new Date('2027-03-02T00:00:00Z') },
      undefined,
    ],
    [
      'ignores the payment if an operator released the payment and the amount differs',
      { releasedAt: new Date('2027-03-02T00:00:00Z'), amount: eur(1n) },
      undefined,
    ],
  ])('with one unknown payment, a charge %s', (_, differs, expected) => {
    expect(chosen([charge()], [made(differs)]).p1).toBe(expected)
  })
})

describe('several charges and unknown payments', () => {
  const [first, second] = [charge(), charge({ paymentId: 'p2', orderId: 'o2' })]

  it('a charge uses the oldest unknown payment of the same amount, even if an older payment has a different amount', () => {
    const unknown = [made({ ref: 'pi_0', amount: eur(500n) }), made(), made({ ref: 'pi_2' })]
    expect(chosen([first], unknown)).toEqual({ p1: 'use pi_1' })
  })

  it('two charges of one batch use two different unknown payments', () => {
    expect(chosen([first, second], [made(), made({ ref: 'pi_2' })])).toEqual({ p1: 'use pi_1', p2: 'use pi_2' })
  })

  it('if two charges match the only unknown payment, the first charge uses the payment, and the second charge uses no payment', () => {
    expect(chosen([first, second], [made()])).toEqual({ p1: 'use pi_1' })
  })

  it('a charge does not use an unknown payment that belongs to the order of another charge', () => {
    const unknown = [made({ orderId: 'o2' }), made({ ref: 'pi_2' })]
    expect(chosen([first, second], unknown)).toEqual({ p1: 'use pi_2', p2: 'use pi_1' })
  })

  it('a repeated charge keeps the payment that it uses, even if another charge comes first in the batch', () => {
    expect(chosen([first, second], [made({ usedBy: 'p2' }), made({ ref: 'pi_2' })])).toEqual({
      p1: 'use pi_2',
      p2: 'use pi_1',
    })
  })

  it('a charge does not wait for the release of an unknown payment that another charge of the batch uses', () => {
    const other = charge({ paymentId: 'p2', orderId: 'o2', amount: eur(500n) })
    expect(chosen([first, other], [made()])).toEqual({ p1: 'use pi_1' })
    expect(chosen([other], [made()])).toEqual({ p2: 'waits pi_1' })
  })

  it('if the money of the first unknown payment was returned, the first charge waits, and the second charge uses the second unknown payment', () => {
    const unknown = [made({ moneyReturned: true }), made({ ref: 'pi_2' })]
    expect(chosen([first, second], unknown)).toEqual({ p1: 'waits pi_1', p2: 'use pi_2' })
  })
})
