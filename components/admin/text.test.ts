import { expect, test } from 'vitest'
import { prototypeNames } from '@/lib/testing/prototype-names.ts'
import { isAdminKey } from './text.ts'

test('a message key exists only if it names a text', () => {
  expect(['language', 'refusals.subscription_not_resumable', 'taxNames.vat'].filter(isAdminKey)).toHaveLength(3)
  const unknown = ['', 'refusals', 'refusals.unknown', 'refusals.subscription_not_resumable.0', 'language.length', '.']
  expect(unknown.filter(isAdminKey)).toEqual([])
})

test('a name that every object inherits is not a message key', () => {
  expect(prototypeNames.flatMap((name) => [name, `refusals.${name}`]).filter(isAdminKey)).toEqual([])
})
