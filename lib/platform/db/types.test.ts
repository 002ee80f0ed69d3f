import pg from 'pg'
import { expect, it } from 'vitest'
import { typeParser } from './types.ts'

const { INT8, TIMESTAMPTZ, DATE, NUMERIC, INT4, JSONB } = pg.types.builtins
const parse = (oid: number, text: string) => typeParser(oid, 'text')(text)

it.each([
  ['an int8 beyond the precision of a number', INT8, '9007199254740993', 9_007_199_254_740_993n],
  ['a time', TIMESTAMPTZ, '2026-11-24 08:00:01+00', new Date('2026-11-24T08:00:01Z')],
  ['a time with milliseconds', TIMESTAMPTZ, '2026-03-29 01:30:00.123+00', new Date('2026-03-29T01:30:00.123Z')],
  ['a time with microseconds', TIMESTAMPTZ, '2026-03-29 01:30:00.123456+00', new Date('2026-03-29T01:30:00.123Z')],
  ['a time in another zone', TIMESTAMPTZ, '2026-03-29 01:30:00+02', new Date('2026-03-28T23:30:00Z')],
  ['a time after the year 9999', TIMESTAMPTZ, '12026-01-01 00:00:00+00', new Date('+012026-01-01T00:00:00Z')],
  ['a day, in any time zone of the process', DATE, '2026-03-29', new Date('2026-03-29T00:00:00Z')],
  ['a decimal', NUMERIC, '0.10', '0.10'],
  ['a number', INT4, '7', 7],
  ['JSON', JSONB, '{"a": [1, null]}', { a: [1, null] }],
])('the database driver parses %s from text', (_, oid, text, value) => {
  expect(parse(oid, text)).toEqual(value)
})
