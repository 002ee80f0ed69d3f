import { expect, it } from 'vitest'
import { versionOf } from './version-of.ts'

it('the same content has the same version, which fits into a form or a header', () => {
  const content = { name: 'Pro', price: 1_000n, cycle: null }
  expect(versionOf({ ...content })).toBe(versionOf(content))
  expect(versionOf(content)).toMatch(/^[\w-]{43}$/)
})

it.each([
  ['a word', { name: 'Plus' }],
  ['an amount in minor units', { price: 1_001n }],
  ['what there was none of', { cycle: { interval: 'month', count: 1 } }],
])('the version changes when %s changes', (_, change) => {
  const content = { name: 'Pro', price: 1_000n, cycle: null }
  expect(versionOf({ ...content, ...change })).not.toBe(versionOf(content))
})
