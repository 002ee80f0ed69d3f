import { expect, it } from 'vitest'
import { isRange, partBefore, partsOf } from './range.ts'

it('isRange accepts the names of ranges and refuses other values', () => {
  expect(['30d', '12m', '7d', undefined].map(isRange)).toEqual([true, true, false, false])
})

it('the range of 30 days has one part per day, and ends with the current day', () => {
  const parts = partsOf('30d', '2027-03-01')
  expect(parts).toHaveLength(30)
  expect(parts[0]).toEqual({ from: '2027-01-31', to: '2027-01-31' })
  expect(parts.at(-1)).toEqual({ from: '2027-03-01', to: '2027-03-01' })
  expect(partBefore(parts, '2027-03-01')).toEqual({ from: '2027-01-01', to: '2027-01-30' })
})

it('the range of 90 days has one part per week, and ends with the current day', () => {
  const parts = partsOf('90d', '2027-03-31')
  expect(parts).toHaveLength(13)
  expect(parts[0]).toEqual({ from: '2027-01-01', to: '2027-01-06' })
  expect(parts.at(-1)).toEqual({ from: '2027-03-25', to: '2027-03-31' })
})

it('the range of 12 months has one part per calendar month, and ends with the current day', () => {
  const parts = partsOf('12m', '2028-02-29')
  expect(parts[0]).toEqual({ from: '2027-03-01', to: '2027-03-31' })
  expect(parts.at(-1)).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(partBefore(parts, '2028-02-29')).toEqual({ from: '2026-02-28', to: '2027-02-28' })
})
