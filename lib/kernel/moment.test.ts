import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfTime, parseDay, parseMoment, toWire, wholeSecond } from './moment.ts'

test.each([
  ['2026-12-20T09:08:07Z', '2026-12-20T09:08:07Z'],
  ['2026-12-20T09:08:07.000Z', '2026-12-20T09:08:07Z'],
  ['2026-12-20T09:08:07.999999Z', '2026-12-20T09:08:07Z'],
  ['2026-12-20T09:08:07+00:00', '2026-12-20T09:08:07Z'],
  ['2026-12-20T09:08:07+01:00', '2026-12-20T08:08:07Z'],
  ['2026-12-20T23:08:07.5-05:30', '2026-12-21T04:38:07Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['2999-12-31T23:59:59Z', '2999-12-31T23:59:59Z'],
])('the timestamp %s is parsed as %s', (text, wire) => {
  const moment = parseMoment(text)
  expect(moment && toWire(moment)).toBe(wire)
  expect(moment?.getMilliseconds()).toBe(0)
})

test.each([
  '',
  '2026-12-20',
  '2026-12-20T09:08Z',
  '2026-12-20T09:08:07',
  '2026-12-20 09:08:07Z',
  '2026-12-20t09:08:07z',
  '2026-12-20T09:08:07.Z',
  '2026-12-20T09:08:07+15:00',
  '2026-12-20T09:08:07+01',
  '2026-12-20T09:08:60Z',
  '2026-12-20T24:00:00Z',
  '2025-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2025-13-01T00:00:00Z',
  '3000-01-01T00:00:00Z',
  '+002026-12-20T09:08:07Z',
  '2026-12-20T09:08:07Z\n',
  '1797757687',
])('%j is not a valid timestamp', (text) => {
  expect(parseMoment(text)).toBeNull()
})

test('formatting and parsing a time returns the time in whole seconds', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: endOfTime, noInvalidDate: true }), (date) => {
      expect(parseMoment(toWire(date))).toEqual(wholeSecond(date))
    }),
  )
})

test.each([
  ['2026-12-20', '2026-12-20T00:00:00Z'],
  ['2028-02-29', '2028-02-29T00:00:00Z'],
])('the day %s begins at %s', (text, wire) => {
  expect(parseDay(text)).toEqual(new Date(wire))
})

test.each(['', '2026-12-20T00:00:00Z', '2025-02-30', '2025-2-3', '20251220', '3000-01-01'])(
  '%j is not a valid day',
  (text) => {
    expect(parseDay(text)).toBeNull()
  },
)
