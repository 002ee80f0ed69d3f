import { expect, it } from 'vitest'
import { tables } from '../../../prisma/client/tables.ts'
import { CustomerShape } from './contract.ts'

const internal = ['storefront_id', 'locale', 'time_zone', 'erased_at']
const derived = ['resource', 'links']

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

it('the API shows every column of a customer that is not internal', () => {
  const columns = Object.keys(tables.customers?.columns ?? {}).filter((column) => !internal.includes(column))
  const fields = Object.keys(CustomerShape.shape).filter((field) => !derived.includes(field))
  expect(fields.sort()).toEqual(columns.map(camelCase).sort())
})
