import { expect, it } from 'vitest'
import { prototypeNames } from '../testing/prototype-names.ts'
import { lookUp } from './look-up.ts'

const table = { DE: 'Germany' }

it('finds what the table has', () => {
  expect(lookUp(table, 'DE')).toBe('Germany')
  expect(lookUp(table, 'FR')).toBeUndefined()
})

it.each(prototypeNames)('does not find %s, which every object has', (name) => {
  expect(lookUp(table, name)).toBeUndefined()
})
