import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ignoredFields, misspelled, nearest, unknownFields } from './field-names.ts'

const shape = z.object({
  email: z.string(),
  url: z.string().optional(),
  applyImmediately: z.boolean().default(false),
  price: z
    .object({ value: z.string(), currency: z.string() })
    .transform(({ value }) => value)
    .nullish(),
  products: z.array(z.object({ id: z.string(), quantity: z.int() })).optional(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
const paths = (body: unknown) => unknownFields(shape, body).map(({ path }) => path)

describe('unknown fields', () => {
  it('unknown fields are found at every depth, even in optional, default, and transformed schemas', () => {
    const body = { email: 'e', a: 1, price: { value: '1', b: 2 }, products: [{ id: 'p' }, { c: 3 }] }
    expect(paths(body)).toEqual(['a', 'price.b', 'products.1.c'])
  })

  it('the request field `metadata` is not searched for unknown fields', () => {
    expect(paths({ metadata: { emial: 1, nested: { email: 2 } } })).toEqual([])
  })

  it('every field of a request body is unknown if the endpoint accepts no body', () => {
    expect(unknownFields(undefined, { a: 1 }).map(({ path }) => path)).toEqual(['a'])
  })

  it('a body or field of the wrong type is not searched for unknown fields', () => {
    for (const body of [undefined, null, 1, 'text', [], { products: {} }, { price: [] }])
      expect(paths(body)).toEqual([])
  })

  it('at most 500 unknown fields are collected', () => {
    const products = Array.from({ length: 1000 }, () => ({ other: 1 }))
    expect(paths({ products })).toHaveLength(500)
  })
})

describe('misspelled fields', () => {
  it.each([
    ['applyImmediatly', 'applyImmediately'],
    ['apply_immediately', 'applyImmediately'],
    ['APPLY-IMMEDIATELY', 'applyImmediately'],
    ['emial', 'email'],
    ['e-mail', 'email'],
    ['URL', 'url'],
  ])('the misspelled field %s is refused with the correct name', (sent, meant) => {
    expect(misspelled(unknownFields(shape, { [sent]: true }))).toEqual({
      [sent]: [`Unknown field ${sent}. Did you mean ${meant}?`],
    })
  })

  it.each(['uri', 'mail', 'apply', 'emission', 'applyNow', 'x'.repeat(1_000_000)])(
    'the field $0 counts as unknown, not as misspelled',
    (sent) => {
      expect(misspelled(unknownFields(shape, { [sent]: true }))).toEqual({})
    },
  )

  it('a field counts as misspelled if it is up to two edits from a known name of five or more letters', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcde'), minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(letters, letters, (sent, known) => {
        const isNear = sent.length >= 5 && known.length >= 5 && distance(sent, known) <= 2
        expect(nearest(sent, [known])).toBe(isNear || sent === known ? known : undefined)
      }),
    )
  })
})

function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const rest = distance(a.slice(1), b.slice(1))
  if (a[0] === b[0]) return rest
  return 1 + Math.min(rest, distance(a.slice(1), b), distance(a, b.slice(1)))
}

describe('the header Ignored-Fields', () => {
  it('a response has no header Ignored-Fields if every field is known', () => {
    expect(ignoredFields([])).toBeNull()
  })

  it('Ignored-Fields lists the first 20 unknown fields, percent-encoded and cut at 100 characters', () => {
    const body = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, 1]))
    expect(ignoredFields(unknownFields(undefined, body))?.split(', ')).toHaveLength(20)
    const odd = { 'a, b': 1, 'ü\r\n': 1, '\ud800': 1, ['x'.repeat(200)]: 1 }
    expect(ignoredFields(unknownFields(undefined, odd))).toBe(`a%2C%20b, %C3%BC%0D%0A, %EF%BF%BD, ${'x'.repeat(100)}`)
  })
})
