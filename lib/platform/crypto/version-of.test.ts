import { expect, it } from 'vitest'
import { versionOf } from './version-of.ts'

it('equal objects have the same version, which consists of URL-safe characters', () => {
  const content = { name: 'Pro', price: 1_000n, cycle: null }
  expect(versionOf({ ...content })).toBe(versionOf(content))
  expect(versionOf(content)).toMatch(/^[\w-]{43}$/)
})

it.each([
  ['a word', { name: 'Plus' }],
  ['an amount in minor units', { price: 1_001n }],
  ['a missing value', { cycle: { interval: 'month', count: 1 } }],
])('objects that differ in %s have different versions', (_, change) => {
  const content = { name: 'Pro', price: 1_000n, cycle: null }
  expect(versionOf({ ...content, ...change })).not.toBe(versionOf(content))
})
