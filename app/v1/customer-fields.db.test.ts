import { describe, expect, test } from 'vitest'
import { customerTexts } from '@/lib/modules/customers/contract.ts'
import { send } from '@/lib/testing/api.ts'
import { watchingQueries } from '@/lib/testing/recorded-queries.ts'
import { aShop } from '@/lib/testing/shop.ts'
import { erase } from '@/lib/workflows/erasure/operations.ts'

describe.each(customerTexts)('the customer field "%s" can be set and cleared', (name) => {
  test('POST and PATCH of a customer set a text field, null clears the field, and a PATCH without the field keeps the value', async () => {
    const { testKey: key } = await aShop()
    const { body } = await send('POST /v1/customers', { key, body: { email: 'ada@example.com', [name]: 'First' } })
    expect(body[name]).toBe('First')
    const path = `/v1/customers/${body.id}`
    const patch = async (sent: object) => (await send(`PATCH ${path}`, { key, body: sent })).body
    expect(await patch({ email: 'grace@example.com' })).toEqual({ ...body, email: 'grace@example.com' })
    expect(await patch({ [name]: 'Second' })).toMatchObject({ [name]: 'Second' })
    expect((await send(`GET ${path}`, { key })).body[name]).toBe('Second')
    expect(await patch({ [name]: null })).toMatchObject({ [name]: null })
    expect((await send(`GET ${path}`, { key })).body[name]).toBeNull()
  })

  test('a text field of a new customer is null if the request omits the field or sends only blanks', async () => {
    const { testKey: key } = await aShop()
    expect((await send('POST /v1/customers', { key, body: { email: 'ada@example.com' } })).body[name]).toBeNull()
    const blank = { email: 'grace@example.com', [name]: '  ' }
    expect((await send('POST /v1/customers', { key, body: blank })).body[name]).toBeNull()
  })

  test('a text field of a customer is refused if its value is not a string or is too long', async () => {
    const { testKey: key } = await aShop()
    const { body } = await send('POST /v1/customers', { key, body: { email: 'ada@example.com' } })
    for (const wrong of [7, ['x'], 'x'.repeat(256)]) {
      const sent = { [name]: wrong }
      for (const [line, more] of [
        ['POST /v1/customers', { email: 'b@c.example' }],
        [`PATCH /v1/customers/${body.id}`, {}],
      ] as const) {
        const reply = await send(line, { key, body: { ...more, ...sent } })
        expect(reply).toMatchObject({ status: 422, body: { errors: { [name]: [expect.any(String)] } } })
      }
    }
  })

  test('the erasure of a customer sets each text field of the customer to null', async () => {
    const { testKey: key } = await aShop()
    const { body } = await send('POST /v1/customers', { key, body: { email: 'ada@example.com', [name]: 'First' } })
    await erase(body.id)
    expect((await send(`GET /v1/customers/${body.id}`, { key })).body[name]).toBeNull()
  })
})

test('creating a customer with an idempotency key takes three round trips to the database', async () => {
  const { testKey: key } = await aShop()
  const post = (n: number) =>
    send('POST /v1/customers', { key, body: { email: `a${n}@b.example` }, headers: { 'Idempotency-Key': `key-${n}` } })
  await post(1)
  const sent: string[] = []
  let writes: string[] = []
  await watchingQueries(
    (_, { text }) => {
      // All statements of one event-loop turn count as one round trip, because the database driver sends them together.
      if (writes.length === 0) setImmediate(() => sent.push(writes.splice(0).join(' + ')))
      writes.push(/INSERT INTO \w+|UPDATE \w+|hold_clock|BEGIN|COMMIT/.exec(text)?.[0] ?? text)
    },
    () => post(2),
  )
  writes = []
  expect(sent).toEqual([
    'INSERT INTO idempotency_keys',
    'BEGIN + hold_clock',
    'INSERT INTO customers + UPDATE idempotency_keys + COMMIT',
  ])
})

test('a POST for an existing customer reads the customer in one query, and neither creates nor changes a customer', async () => {
  const { testKey: key } = await aShop()
  const first = await send('POST /v1/customers', { key, body: { email: 'ada@example.com', name: 'Ada' } })
  const texts: string[] = []
  await watchingQueries(
    (_, { text }) => texts.push(text.trim()),
    async () => {
      const again = { email: 'Ada@example.com', name: 'Another' }
      const headers = { 'Idempotency-Key': 'again' }
      for (const _ of ['a request', 'its repetition'])
        expect(await send('POST /v1/customers', { key, body: again, headers })).toMatchObject({
          status: 200,
          body: first.body,
        })
    },
  )
  expect(texts.filter((text) => /\bcustomers\b/.test(text))).toEqual([
    expect.stringMatching(/INSERT INTO customers .*\s+ON CONFLICT DO NOTHING/),
    expect.stringMatching(/^SELECT [^;]* FROM customers\b/),
  ])
  expect((await send('GET /v1/customers', { key })).body.data).toEqual([first.body])
})
