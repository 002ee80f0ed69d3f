import { expect, test } from 'vitest'
import { afterPrefix, likePart } from './search-part.ts'

test.each([
  ['Acme', '%acme%'],
  ['50%_\\', '%50\\%\\_\\\\%'],
  ['ab', null],
  ['日本語', '%日本語%'],
])('the pattern of the part %j', (part, pattern) => expect(likePart(part)).toBe(pattern))

test('all texts with the prefix sort before its upper bound, and a later text does not', () => {
  const end = afterPrefix('2027-1')
  expect(['2027-1', '2027-19', '2027-1\u{10fffe}'].every((text) => text >= '2027-1' && text < end)).toBe(true)
  expect('2027-2' < end).toBe(false)
})
