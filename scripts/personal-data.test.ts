import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { columns, personal } from '../lib/modules/personal-data/columns.ts'

/**
 * Returns the text, JSON, and bytes columns by table. Leaves out references, columns with a CHECK on a list of values,
 * and all ids except `tax_id`.
 */
function wordsIn(schema: string): Record<string, string[]> {
  const models = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)]
  return Object.fromEntries(
    models.flatMap(([, table = '', body = '']) => {
      const found = [...body.matchAll(/^ +(\w+) +(?:String|Json|Bytes)(?:\[\]|\?)?(?: .*)?$/gm)]
        .filter(([, column = '']) => column === 'tax_id' || !/(^|_)(id|ref)$/.test(column))
        .filter(([line]) => !line.includes(`(CHECK ${table}_`))
        .filter(([, column]) => !new RegExp(`// CHECK ${table}_${column}: \\w+(?:, \\w+)*,?$`, 'm').test(body))
        .map(([, column = '']) => column)
      return found.length === 0 ? [] : [[table, found.sort()]]
    }),
  )
}

it('every text column is classified as personal data or not', () => {
  const said = Object.entries(columns).map(([table, held]) => [table, Object.keys(held).sort()])
  expect(Object.fromEntries(said)).toEqual(wordsIn(readFileSync('prisma/schema.prisma', 'utf8')))
})

it('the personal data check finds a new unclassified column', () => {
  const schema =
    'model orders {\n  id String @id\n  status String // paid (CHECK orders_status)\n  note String? // new\n}\n'
  expect(wordsIn(schema)).toEqual({ orders: ['note'] })
})

it('the documentation names every table with customer data', () => {
  const page = readFileSync('docs/personal-data.md', 'utf8')
  expect([...new Set(personal.map(({ table }) => table))].filter((table) => !page.includes(`\`${table}\``))).toEqual([])
})
