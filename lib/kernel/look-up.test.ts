import { expect, it } from 'vitest'
import { prototypeNames } from '../testing/prototype-names.ts'
import { lookUp } from './look-up.ts'

const table = { DE: 'Germany' }

it('look-up finds an entry of the table', () => {
  expect(lookUp(table, 'DE')).toBe('Germany')
  expect(lookUp(table, 'FR')).toBeUndefined()
})

it.each(prototypeNames)('look-up does not find %s, a name that every object inherits', (name) => {
  expect(lookUp(table, name)).toBeUndefined()
})
