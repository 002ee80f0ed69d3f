import { expect, it } from 'vitest'
import { contentCoding } from './content-coding.ts'

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP;q=1.0, BR ; Q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000,gzip;q=0', null],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.2, *;q=0.1', 'gzip'],
  ['identity, br;q=0.5', null],
  ['identity;q=0.5, gzip', 'gzip'],
  ['brotli', null],
  ['br;q=x', 'br'],
  ['deflate', null],
  ['', null],
  [null, null],
])('Accept-Encoding %j selects %s', (header, coding) => {
  expect(contentCoding(header, ['br', 'gzip'])).toBe(coding)
})

it('contentCoding selects only codings that the server offers', () => {
  expect(contentCoding('gzip, br', ['br'])).toBe('br')
  expect(contentCoding('gzip', ['br'])).toBeNull()
})
