import { expect, test } from 'vitest'
import { prototypeNames } from '@/lib/testing/prototype-names.ts'
import { isAdminKey } from './text.ts'

test('isAdminKey() accepts a key only if the key names a text in the admin messages', () => {
  expect(['language', 'refusals.subscription_not_resumable', 'taxNames.vat'].filter(isAdminKey)).toHaveLength(3)
  const unknown = ['', 'refusals', 'refusals.unknown', 'refusals.subscription_not_resumable.0', 'language.length', '.']
  expect(unknown.filter(isAdminKey)).toEqual([])
})

test('isAdminKey() refuses the names of properties that every object inherits', () => {
  expect(prototypeNames.flatMap((name) => [name, `refusals.${name}`]).filter(isAdminKey)).toEqual([])
})
