import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { apiDocument } from '@/app/v1/document.ts'
import { endpoints } from '@/app/v1/endpoints.ts'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
import { exampleOf } from './example.ts'
import { type Document, referenceOf } from './reference.ts'
import { type Field, fieldOf, type Schema } from './schema.ts'

const contact = { name: 'Seller', email: null }
const document = apiDocument({ baseUrl: 'https://pay.example', contact }) as unknown as Document
const reference = referenceOf(document)
const operations = reference.nouns.flatMap((noun) => noun.operations)

const textsOf = (locale: Locale): { docs: { errorsText: string } } =>
  JSON.parse(readFileSync(`messages/admin/${locale}.json`, 'utf8'))

describe('a field of the reference', () => {
  const cases: readonly (readonly [Schema, Partial<Field>])[] = [
    [
      { type: 'string', minLength: 1, maxLength: 2048 },
      { type: 'string', rules: ['at least 1 character', 'at most 2,048 characters'] },
    ],
    [{ type: 'integer', minimum: 1, maximum: 999_999, default: 1 }, { rules: ['from 1', 'to 999,999', 'default 1'] }],
    [
      { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      { type: 'string or null', rules: ['format date-time'] },
    ],
    [
      { type: 'array', items: { $ref: '#/components/schemas/TaxLine' } },
      { type: 'array of TaxLine', shapes: ['TaxLine'] },
    ],
    [
      { anyOf: [{ $ref: '#/components/schemas/Money' }, { type: 'null' }] },
      { type: 'Money or null', shapes: ['Money'] },
    ],
    [{ type: ['string', 'number'] }, { type: 'string or number' }],
    [{ enum: ['day', 'week'] }, { type: 'string', values: ['"day"', '"week"'] }],
    [
      { type: 'string', const: 'EUR' },
      { type: 'string', values: ['"EUR"'] },
    ],
    [{ type: 'string', pattern: '^(a_|b_)[0-9A-Za-z]{22}$' }, { rules: ['begins with `a_` or `b_`'] }],
    [{ type: 'string', pattern: '^x$' }, { rules: ['matches `^x$`'] }],
  ]
  it.each(cases)('the API reference describes a field with the schema %j as %j', (schema, shown) => {
    expect(fieldOf('field', schema, true)).toMatchObject({ name: 'field', isRequired: true, ...shown })
  })

  it('the API reference lists the fields of objects in arrays and of nullable objects', () => {
    const price = { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] }
    const inArray = fieldOf('prices', { type: 'array', items: { anyOf: [price, { type: 'null' }] } }, false)
    expect(inArray).toMatchObject({ type: 'array of object or null', fields: [{ name: 'value', isRequired: true }] })
  })
})

describe('the reference', () => {
  it('the API reference has every operation exactly once, under its resource', () => {
    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(all.sort())
    expect(reference.nouns.map(({ slug }) => slug)).toContain('one-off-products')
  })

  it('the API reference lists every schema exactly once, under its resource or as a shared schema', () => {
    const shown = [...reference.shapes, ...reference.nouns.flatMap(({ shapes }) => shapes)]
    const { oneOf = [] } = document.components.schemas.WebhookEvent ?? {}
    const events = oneOf.map(({ $ref = '' }) => $ref.split('/').at(-1))
    expect(events.length).toBeGreaterThan(30)
    const named = Object.keys(document.components.schemas).filter((name) => !events.includes(name))
    expect(shown.map(({ name }) => name).sort()).toEqual(named.sort())
    const nounOf = (name: string) =>
      reference.nouns.find(({ shapes }) => shapes.some((each) => each.name === name))?.name
    const nouns = ['Order', 'OrderLine', 'Subscription', 'WebhookEvent', 'Money', 'TaxLine', 'ApiError'].map(nounOf)
    expect(nouns).toEqual(['Orders', 'Orders', 'Subscriptions', 'Webhooks', undefined, undefined, undefined])
  })

  it.each(locales)('the texts of the API reference name only schemas that exist, in the language %s', (locale) => {
    const { docs } = JSON.parse(readFileSync(`messages/admin/${locale}.json`, 'utf8'))
    const named = Object.values<unknown>(docs).flatMap(
      (text) => String(text).match(/(?<=`)[A-Z][a-z][A-Za-z]+(?=`)/g) ?? [],
    )
    expect(named).toContain('ApiError')
    expect(named.filter((name) => !(name in document.components.schemas))).toEqual([])
  })

  it('the API reference describes all events with one schema, whose field `object` is one of several resources', () => {
    const { shapes = [] } = reference.nouns.find(({ name }) => name === 'Webhooks') ?? {}
    const { fields = [] } = shapes.find(({ name }) => name === 'WebhookEvent') ?? {}
    const field = (name: string) => fields.find((each) => each.name === name)
    expect(field('eventName')).toMatchObject({ isRequired: true, values: expect.arrayContaining(['"order.paid"']) })
    expect(field('object')?.shapes).toEqual(expect.arrayContaining(['Order', 'Chargeback', 'Subscription']))
    expect(field('createdAt')).toMatchObject({ type: 'string', rules: ['format date-time'] })
  })

  it.each(locales)('the text about errors in the API reference names the schema of an error (%s)', (locale) => {
    const [name = ''] = /(?<=`)[A-Z]\w+(?=`)/.exec(textsOf(locale).docs.errorsText) ?? []
    expect(document.components.schemas).toHaveProperty([name, 'properties', 'code'])
  })

  it('the API reference explains each error code that is not common to all operations', () => {
    const codes = ({ refused }: { refused: readonly { code: string }[] }) => refused.map(({ code }) => code)
    expect(codes({ refused: reference.refused.byAll })).toEqual([
      'unauthenticated',
      'validation_failed',
      'rate_limited',
      'internal',
      'unavailable',
    ])
    const resume = operations.find(({ id }) => id === 'resumeSubscription')
    expect(codes({ refused: resume?.refused ?? [] })).toEqual(
      expect.arrayContaining(['not_found', 'subscription_not_resumable']),
    )
    expect(operations.flatMap(codes)).not.toContain('')
    expect(operations.flatMap(codes)).not.toContain('internal')
  })

  it.each(endpoints.flatMap((endpoint) => (endpoint.body ? [[endpoint.id, endpoint] as const] : [])))(
    'the API reference shows a request body for %s that the endpoint accepts',
    (id, { body, path, method, validateCombination }) => {
      const schema = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].schema
      const example = exampleOf(schema ?? {})
      expect(body?.safeParse(example)).toMatchObject({ success: true })
      expect(validateCombination?.(example as never) ?? {}).toEqual({})
      const shown = operations.find((each) => each.id === id)?.curl ?? ''
      expect(JSON.parse(/-d '(.*)'$/s.exec(shown)?.[1] ?? '')).toEqual(example)
    },
  )

  it('the example plan of the API reference is billed monthly, because live mode accepts no interval in days', () => {
    const create = operations.find(({ id }) => id === 'createSubscriptionPlan')
    expect(create?.curl).toContain('"interval": "month"')
  })

  it('the API reference shows a recorded response for each operation that returns a body', () => {
    const hasBody = ({ shape, fields }: { shape: string | null; fields: readonly unknown[] }) =>
      shape !== null || fields.length > 0
    const lacking = operations.filter(
      ({ answers }) => answers.some(hasBody) && !answers.some(({ example }) => example?.startsWith('{')),
    )
    expect(lacking.map(({ id }) => id)).toEqual([])
  })

  it('the API reference has a recorded payload for each event, and says when the event is sent', () => {
    expect(reference.events.map(({ name }) => name)).toEqual(Object.keys(document.webhooks))
    const isComplete = reference.events.map(
      ({ name, text, example }) => text !== '' && JSON.parse(example).eventName === name,
    )
    expect(isComplete).toEqual(reference.events.map(() => true))
  })

  it('the resources of the API reference begin with the catalog and end with the test helpers', () => {
    const names = reference.nouns.map(({ name }) => name)
    expect([names[0], names.at(-1)]).toEqual(['Subscription plans', 'Test helpers'])
  })

  it('the example commands of the API reference have complete paths without placeholders', () => {
    const commands = operations.map(({ curl }) => curl)
    expect(commands.filter((command) => /\/\{|undefined/.test(command.split('\n')[0] ?? ''))).toEqual([])
    expect(operations.find(({ id }) => id === 'listOrders')?.curl).toBe(
      'curl "$BILLHOOK/v1/orders" \\\n  -H "Authorization: Bearer $KEY"',
    )
  })
})
