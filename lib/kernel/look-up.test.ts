import { expect, it } from 'vitest'
import { prototypeNames } from '../testing/prototype-names.ts'
import { lookUp } from './look-up.ts'

const table = { DE: 'Germany' }

it('lookUp() returns the entry of a key', () => {
  expect(lookUp(table, 'DE')).toBe('Germany')
  expect(lookUp(table, 'FR')).toBeUndefined()
})

it.each(prototypeNames)('lookUp() returns undefined for the inherited property %s', (name) => {
  expect(lookUp(table, name)).toBeUndefined()
})
