import { expect, it } from 'vitest'
import { differencesOf, verdictOf } from './differences.ts'
import { figureDay } from './figure-day.ts'

const day = (day: string, net: bigint) =>
  figureDay({
    ...{ day, currency: 'EUR', before: null, moved: null, ended: [] },
    posted: [{ day, currency: 'EUR', kind: 'order', country: 'DE', net, orders: 1 }],
  })

it('the comparison of figures reports no difference between equal figures', () => {
  expect(differencesOf([day('2027-01-31', 5n)], [day('2027-01-31', 5n)])).toEqual([])
})

it('the comparison of figures reports both values of each difference', () => {
  const of = { day: '2027-01-31', currency: 'EUR' }
  expect(differencesOf([day('2027-01-31', 5n)], [day('2027-01-31', 6n)])).toEqual([
    { ...of, figure: 'sales', before: '5', after: '6' },
    { ...of, figure: 'countries', before: 'DE=5', after: 'DE=6' },
  ])
})

it('the comparison of figures reports all figures of a missing day', () => {
  const found = differencesOf([], [day('2027-01-31', 5n)])
  expect(found.find(({ figure }) => figure === 'sales')).toMatchObject({ before: null, after: '5' })
})

it('the verdict of a rebuild states the number of differing figures', () => {
  expect(verdictOf([])).toBe('All figures agree with events and ledger.')
  expect(verdictOf([{}, {}])).toBe('2 figures differed, and are corrected.')
})
