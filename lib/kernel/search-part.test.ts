import { expect, test } from 'vitest'
import { afterPrefix, likePart } from './search-part.ts'

test.each([
  ['Acme', '%acme%'],
  ['50%_\\', '%50\\%\\_\\\\%'],
  ['ab', null],
  ['日本語', '%日本語%'],
])('the search text %j has the LIKE pattern %s', (part, pattern) => expect(likePart(part)).toBe(pattern))

test('the upper bound of a prefix sorts after all texts with the prefix and before all later texts', () => {
  const end = afterPrefix('2027-1')
  expect(['2027-1', '2027-19', '2027-1\u{10fffe}'].every((text) => text >= '2027-1' && text < end)).toBe(true)
  expect('2027-2' < end).toBe(false)
})
