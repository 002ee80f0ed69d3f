import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id } from './shapes.ts'
import { parseWith, wellFormedOf } from './validate.ts'

const order = endpoint({
  id: 'order',
  method: 'POST',
  path: '/v1/things/{id}',
  scope: 'no_refunds',
  tag: 'Things',
  summary: '',
  description: '',
  params: z.object({ id: id('order_') }),
  query: z.object({
    limit: z.string().regex(/^\d+$/, { error: 'Must be digits.' }).optional(),
    createdAfter: z.string().optional(),
  }),
  body: z.object({
    name: z.string(),
    kind: z.enum(['a', 'b']).optional(),
    items: z
      .array(z.object({ quantity: z.int().min(1).max(999_999) }))
      .min(1)
      .max(2)
      .optional(),
    on: z.boolean().optional(),
  }),
  responses: {},
  refuses: [],
})
const params = { id: 'order_0000000000000000000001' }
const parse = (body: unknown, query = '') =>
  parseWith(order, params, new URLSearchParams(query), body as Record<string, unknown>)
const errorsOf = (body: unknown, query?: string) => {
  try {
    parse(body, query)
  } catch (error) {
    return error
  }
  return null
}

describe('validation errors', () => {
  it.each(['limit=1&limit=2', 'limit=1&limit=1', 'limit=x&limit='])(
    'a repeated query parameter is refused: %s',
    (query) => {
      const on = { limit: ['Must not be sent more than once.'] }
      expect(errorsOf({ name: 'n' }, query)).toMatchObject({ code: 'validation_failed', on })
      const { params: _, query: parsed } = wellFormedOf(order, params, new URLSearchParams(query), { name: 'n' })
      expect(parsed).toEqual({})
    },
  )

  it('one response reports the errors of all fields in query and body, by dot path', () => {
    expect(errorsOf({ items: [{ quantity: 1 }, { quantity: 0 }], kind: 'c', on: 'yes' }, 'limit=x')).toMatchObject({
      code: 'validation_failed',
      on: {
        limit: ['Must be digits.'],
        name: ['This field is required.'],
        kind: ['Must be one of "a", "b".'],
        on: ['Must be true or false.'],
        'items.1.quantity': ['Must be at least 1.'],
      },
    })
  })

  it.each([
    [{ name: 1 }, 'name', 'Must be a string.'],
    [{ name: null }, 'name', 'Must be a string.'],
    [{ name: 'n', items: {} }, 'items', 'Must be an array.'],
    [{ name: 'n', items: [] }, 'items', 'Must have at least 1 item(s).'],
    [{ name: 'n', items: [{}, {}, {}] }, 'items', 'Must have at most 2 items.'],
    [{ name: 'n', items: [null] }, 'items.0', 'Must be an object.'],
    [{ name: 'n', items: [{}] }, 'items.0.quantity', 'This field is required.'],
    [{ name: 'n', items: [{ quantity: 1.5 }] }, 'items.0.quantity', 'Must be an integer.'],
    [{ name: 'n', items: [{ quantity: '1' }] }, 'items.0.quantity', 'Must be a number.'],
    [{ name: 'n', items: [{ quantity: 1_000_000 }] }, 'items.0.quantity', 'Must be at most 999,999.'],
    [undefined, 'name', 'This field is required.'],
  ])('the validation errors of %j include %s: %s', (body, field, sentence) => {
    expect(errorsOf(body)).toMatchObject({ on: { [field]: [sentence] } })
  })

  it('an unknown field in the body is dropped without an error', () => {
    expect(parse({ name: 'n', colour: 'red' }, 'limit=5')).toEqual({
      params,
      query: { limit: '5' },
      body: { name: 'n' },
    })
  })

  it('the error for an unknown query parameter lists the supported parameters', () => {
    expect(errorsOf({ name: 'n' }, 'limit=5&since=1&__proto__=2')).toMatchObject({
      on: {
        since: ['Unknown query parameter. Supported: limit, createdAfter.'],
        ['__proto__']: ['Unknown query parameter. Supported: limit, createdAfter.'],
      },
    })
  })

  it('a query parameter is accepted in snake case, and refused if it is sent in both snake case and camel case', () => {
    expect(parse({ name: 'n' }, 'created_after=x')).toMatchObject({ query: { createdAfter: 'x' } })
    expect(errorsOf({ name: 'n' }, 'created_after=x&createdAfter=x')).toMatchObject({
      on: { createdAfter: ['Must not be sent more than once.'] },
    })
  })

  it('misspelled names of known fields are refused at every depth', () => {
    expect(
      errorsOf({
        name: 'n',
        items: [
          { quantity: 1, Quantity: 2 },
          { quantity: 1, quantitty: 2 },
        ],
      }),
    ).toMatchObject({
      on: {
        'items.0.Quantity': ['Unknown field Quantity. Did you mean quantity?'],
        'items.1.quantitty': ['Unknown field quantitty. Did you mean quantity?'],
      },
    })
  })

  it('a malformed id in the path leads to not_found even if the body is invalid', () => {
    expect(() => parseWith(order, { id: 'order_1' }, new URLSearchParams(), {})).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    )
  })
})
