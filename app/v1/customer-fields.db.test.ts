import { describe, expect, test } from 'vitest'
import { customerTexts } from '@/lib/modules/customers/contract.ts'
import { send } from '@/lib/testing/api.ts'
import { recordedQueries, watchingQueries } from '@/lib/testing/recorded-queries.ts'
import { aShop } from '@/lib/testing/shop.ts'
import { erase } from '@/lib/workflows/erasure/operations.ts'

/** Every text of a customer, so that a new text is tested as soon as the contract has it. */
describe.each(customerTexts)('the text "%s" of a customer', (name) => {
  test('is set by POST, changed and cleared by PATCH, and kept by a PATCH without it', async () => {
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

  test('a field of a customer is null without a value, and for blanks only', async () => {
    const { testKey: key } = await aShop()
    expect((await send('POST /v1/customers', { key, body: { email: 'ada@example.com' } })).body[name]).toBeNull()
    const blank = { email: 'grace@example.com', [name]: '  ' }
    expect((await send('POST /v1/customers', { key, body: blank })).body[name]).toBeNull()
  })

  test('a field of a customer is refused if it is no text, or too long', async () => {
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

  test('a field of a customer is removed by an erasure', async () => {
    const { testKey: key } = await aShop()
    const { body } = await send('POST /v1/customers', { key, body: { email: 'ada@example.com', [name]: 'First' } })
    await erase(body.id)
    expect((await send(`GET /v1/customers/${body.id}`, { key })).body[name]).toBeNull()
  })
})

test('a new customer with an idempotency key takes three waits for the database', async () => {
  const { testKey: key } = await aShop()
  const post = (n: number) =>
    send('POST /v1/customers', { key, body: { email: `a${n}@b.example` }, headers: { 'Idempotency-Key': `key-${n}` } })
  await post(1)
  const sent: string[] = []
  let writes: string[] = []
  await watchingQueries(
    (_, { text }) => {
      // Statements of one turn of the event loop leave in one write.
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

test('an existing customer is read once, and the failed attempt to create the customer leaves no rows', async () => {
  const { testKey: key } = await aShop()
  const first = await send('POST /v1/customers', { key, body: { email: 'ada@example.com', name: 'Ada' } })
  const queries = await recordedQueries(async () => {
    const again = { email: 'Ada@example.com', name: 'Another' }
    const headers = { 'Idempotency-Key': 'again' }
    expect(await send('POST /v1/customers', { key, body: again, headers })).toMatchObject({
      status: 200,
      body: first.body,
    })
    const repeated = await send('POST /v1/customers', { key, body: again, headers })
    expect(repeated).toMatchObject({ status: 200, body: first.body })
  })
  expect(queries.filter(({ text }) => /FROM "?customers/.test(text)).length).toBe(1)
  expect((await send('GET /v1/customers', { key })).body.data).toEqual([first.body])
})
