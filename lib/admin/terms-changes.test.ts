import { describe, expect, test } from 'vitest'
import { termsChanges } from './terms-changes.ts'

const eur = (value: string) => ({ value, currency: 'EUR' as const })
const terms = { name: 'Team', quantity: 7, basePrice: eur('10.00'), interval: 'month' as const, intervalCount: 1 }

describe('the changes between two states of a subscription', () => {
  test.each([
    ['a quantity', { quantity: 10 }, [{ field: 'quantity', from: 7, to: 10 }]],
    ['a plan', { name: 'Business' }, [{ field: 'plan', from: 'Team', to: 'Business' }]],
    ['a price', { basePrice: eur('12.00') }, [{ field: 'price', from: eur('10.00'), to: eur('12.00') }]],
    [
      'an interval',
      { intervalCount: 12 },
      [
        {
          field: 'interval',
          from: { interval: 'month', intervalCount: 1 },
          to: { interval: 'month', intervalCount: 12 },
        },
      ],
    ],
    ['nothing', {}, []],
  ])('the timeline names exactly the changed terms and their former values: %s', (_, differences, expected) => {
    expect(termsChanges(terms, { ...terms, ...differences })).toEqual(expected)
  })

  test('the timeline lists no change of a subscription if the previous state is unknown', () => {
    expect(termsChanges(null, terms)).toEqual([])
  })
})
