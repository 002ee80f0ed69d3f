import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exported } from '../workflows/transfer/tables.ts'
import { encryptedColumns } from './encrypted-columns.ts'

/** Names of byte columns with hashes, public keys, and pictures. */
const plainNames = /(?:^|_)(?:hash|mac|fingerprint|public_key|bytes)$/

const encryptedIn = (schema: string): string[] =>
  [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].flatMap(([, table = '', body = '']) =>
    [...body.matchAll(/^ +(\w+) +Bytes\b/gm)]
      .filter(([, column = '']) => !plainNames.test(column))
      .map(([, column = '']) => `${table}.${column}`),
  )

it('the comparison with the schema finds a new encrypted column', () => {
  const schema = 'model orders {\n  id   String @id\n  note Bytes? // encrypted\n  note_hash Bytes\n}\n'
  expect(encryptedIn(schema)).toEqual(['orders.note'])
})

describe('the list of encrypted columns that doctor checks or skips', () => {
  const listed = encryptedColumns.map(({ table, column }) => `${table}.${column}`)

  it('the list contains every byte column of the schema, except hashes, public keys, and pictures', () => {
    const ofBytes = encryptedIn(readFileSync('prisma/schema.prisma', 'utf8'))
    expect(listed.filter((column) => column !== 'idempotency_keys.body').sort()).toEqual(ofBytes.sort())
  })

  it('the list contains every column that an export of a storefront encrypts again', () => {
    const resealed = Object.entries(exported).flatMap(([table, { sealed = [] }]) =>
      sealed.map(({ column }) => `${table}.${column}`),
    )
    expect(resealed.filter((column) => !listed.includes(column))).toEqual([])
  })
})
