import { describe, expect, it } from 'vitest'
import { emptyFragment, fragment, rawFragment, sqlStatement } from './fragment.ts'

const sql = (strings: TemplateStringsArray, ...values: unknown[]) => sqlStatement(strings, values)

describe('a statement', () => {
  it.each([
    ['a template without values', sql`SELECT 1`, 'SELECT 1', []],
    ['a template with values', sql`SELECT ${1}, ${'two'}`, 'SELECT $1, $2', [1, 'two']],
    [
      'a template with a name',
      sql`SELECT * FROM ${rawFragment('orders')} WHERE id = ${'x'}`,
      'SELECT * FROM orders WHERE id = $1',
      ['x'],
    ],
    ['a template with an empty fragment', sql`SELECT ${1} ${emptyFragment}`, 'SELECT $1 ', [1]],
    [
      'a template with nested fragments',
      sql`SELECT ${1} WHERE ${fragment`a = ${2} AND ${fragment`b = ${3}`}`} AND c = ${4}`,
      'SELECT $1 WHERE a = $2 AND b = $3 AND c = $4',
      [1, 2, 3, 4],
    ],
    ['a fragment as the whole statement', sqlStatement(fragment`SELECT ${1}`, []), 'SELECT $1', [1]],
    [
      'a value that looks like SQL',
      sql`SELECT ${"'; DROP TABLE orders; --"}`,
      'SELECT $1',
      ["'; DROP TABLE orders; --"],
    ],
  ])('an SQL statement has the text and values of its template (%s)', (_, statement, text, values) => {
    expect(statement).toEqual({ text, values })
  })

  it('the text of an SQL statement does not depend on its values', () => {
    const again = (value: unknown) => sql`SELECT ${value}`
    expect(again(1).text).toBe(again(2).text)
    const either = (condition: unknown) => sql`SELECT 1 WHERE ${condition}`
    expect([either(true).text, either(fragment`a = ${1}`).text]).toEqual(['SELECT 1 WHERE $1', 'SELECT 1 WHERE a = $1'])
  })
})
