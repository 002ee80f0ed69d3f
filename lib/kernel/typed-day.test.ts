import { expect, test } from 'vitest'
import { parseTypedDay } from './typed-day.ts'

test('an entered day begins at midnight UTC and ends at the next midnight', () => {
  expect(parseTypedDay('2028-02-29')).toEqual({
    start: new Date('2028-02-29T00:00:00Z'),
    end: new Date('2028-03-01T00:00:00Z'),
  })
})

test.each([null, '', '2027-02-29', '2027-13-01', '27-01-01', '2027-01-01T00:00', 'today'])(
  '%j is not a valid day',
  (typed) => expect(parseTypedDay(typed)).toBeNull(),
)
