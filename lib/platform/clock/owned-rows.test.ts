import { describe, expect, it } from 'vitest'
import { sqlStatement } from '../db/fragment.ts'
import { ownedRows } from './clock.ts'

const tenant = { storefrontId: 'storefront_1', testmode: true }

describe('the condition for the rows of a tenant', () => {
  it('the SQL condition for the rows of a tenant compares the storefront and the mode', () => {
    expect(sqlStatement(ownedRows(tenant), [])).toEqual({
      text: 'storefront_id = $1 AND testmode = $2',
      values: ['storefront_1', true],
    })
  })

  it('the SQL condition for the rows of a tenant names the table if the statement has several tables', () => {
    expect(sqlStatement(ownedRows(tenant, 'o'), []).text).toBe('o.storefront_id = $1 AND o.testmode = $2')
  })
})
