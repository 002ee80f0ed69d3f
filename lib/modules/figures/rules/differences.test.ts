import { expect, it } from 'vitest'
import { differencesOf, verdictOf } from './differences.ts'
import { figureDay } from './figure-day.ts'

const day = (day: string, net: bigint) =>
  figureDay({
    ...{ day, currency: 'EUR', before: null, moved: null, ended: [] },
    posted: [{ day, currency: 'EUR', kind: 'order', country: 'DE', net, orders: 1 }],
  })

it('equal figures have no difference', () => {
  expect(differencesOf([day('2027-01-31', 5n)], [day('2027-01-31', 5n)])).toEqual([])
})

it('each figure that differs is named with both values', () => {
  const of = { day: '2027-01-31', currency: 'EUR' }
  expect(differencesOf([day('2027-01-31', 5n)], [day('2027-01-31', 6n)])).toEqual([
    { ...of, figure: 'sales', before: '5', after: '6' },
    { ...of, figure: 'countries', before: 'DE=5', after: 'DE=6' },
  ])
})

it('a day that was missing differs in all figures', () => {
  const found = differencesOf([], [day('2027-01-31', 5n)])
  expect(found.find(({ figure }) => figure === 'sales')).toMatchObject({ before: null, after: '5' })
})

it('the verdict counts the figures that differed', () => {
  expect(verdictOf([])).toBe('All figures agree with events and ledger.')
  expect(verdictOf([{}, {}])).toBe('2 figures differed, and are corrected.')
})
