import { beforeEach, describe, expect, test } from 'vitest'
import { customerTexts } from '@/lib/modules/customers/contract.ts'
import { type Customer, findCustomer, getOrInsertCustomer } from '@/lib/modules/customers/store.ts'
import { newId } from '@/lib/platform/crypto/identity.ts'
import { db, type Sql } from '@/lib/platform/db/db.ts'
import { send } from '@/lib/testing/api.ts'
import { aCheckout, aCustomer, aProduct, pay } from '@/lib/testing/factories.ts'
import { aShop, eventsOf, type Shop } from '@/lib/testing/shop.ts'
import { erase } from '@/lib/workflows/erasure/operations.ts'

let shop: Shop
let key: string
beforeEach(async () => {
  shop = await aShop()
  key = shop.testKey
})
const create = (body: object) => send('POST /v1/customers', { key, body })

describe('POST of a customer', () => {
  test('POST /v1/customers creates a customer with the values sent', async () => {
    const metadata = { plan: 'gold', seats: 3, active: true }
    const { status, body } = await create({ email: ' Ada@Bücher.Example ', name: 'Ada', metadata })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^customer_[0-9A-Za-z]{22}$/),
      resource: 'customer',
      testmode: true,
      email: 'ada@xn--bcher-kva.example',
      ...Object.fromEntries(customerTexts.map((text) => [text, null])),
      name: 'Ada',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      metadata,
      links: { self: { href: `http://billhook.test/v1/customers/${body.id}`, type: 'application/json' } },
    })
    expect((await send(`GET /v1/customers/${body.id}`, { key })).body).toEqual(body)
    expect(await eventsOf(shop)).toEqual([])
  })

  test('POST /v1/customers returns the existing customer unchanged for any spelling of the email address', async () => {
    const { body: first } = await create({ email: 'ada@xn--bcher-kva.example' })
    expect(first).toMatchObject({ name: null, metadata: null })
    for (const email of [
      'ADA@BÜCHER.EXAMPLE',
      '\tada@bu\u0308cher.example ',
      'Ada@XN--BCHER-KVA.example',
      'ada@bücher。example',
    ]) {
      const again = await create({ email, name: 'Another', metadata: { a: 1 } })
      expect(again).toMatchObject({ status: 200, body: first })
    }
    const others = [
      'ada+shop@xn--bcher-kva.example',
      'a.da@xn--bcher-kva.example',
      'ada@bucher.example',
      'ädä@bücher.example',
    ]
    for (const email of others) expect((await create({ email })).status).toBe(201)
  })

  test('an email address with a decomposed accented letter identifies the same customer as the address with the composed letter', async () => {
    const { body: first } = await create({ email: 'e\u0301ve@example.com' })
    expect(first.email).toBe('\u00e9ve@example.com')
    expect(await create({ email: '\u00e9ve@example.com' })).toMatchObject({ status: 200, body: first })
    const query = new URLSearchParams({ email: 'E\u0301VE@example.com' })
    expect((await send(`GET /v1/customers?${query}`, { key })).body.data).toEqual([first])
    const { body: other } = await create({ email: 'eve@example.com' })
    const renamed = await send(`PATCH /v1/customers/${other.id}`, { key, body: { email: 'e\u0301ve@example.com' } })
    expect(renamed).toMatchObject({ status: 422, body: { errors: { email: [expect.any(String)] } } })
  })

  test('of twenty simultaneous POST requests with the same email address, one creates a customer and the others return this customer', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `race-${round}@example.com`
      let start = () => {}
      const barrier = new Promise<void>((resolve) => {
        start = resolve
      })
      const all = Array.from({ length: 20 }, async (_, index) => {
        await barrier
        return create({ email: index % 2 ? email : email.toUpperCase(), name: `Racer ${index}` })
      })
      start()
      const replies = await Promise.all(all)
      expect(replies.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
      expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
      expect(await db().customers.count({ where: { storefront_id: shop.storefrontId, email } })).toBe(1)
    }
  })

  test('POST /v1/customers creates a new customer if a concurrent request gives the existing customer a different email address', async () => {
    const holder = await aCustomer(key, { email: 'ada@example.com' })
    // After its first statement, this database client changes the email address of the existing customer, as a
    // concurrent request could.
    let isFree = false
    const sql: Sql = Object.create(db(), {
      $executeRaw: {
        value: async (...statement: Parameters<Sql['$executeRaw']>) => {
          const rows = await db().$executeRaw(...statement)
          if (!isFree) await send(`PATCH /v1/customers/${holder.id}`, { key, body: { email: 'ada@example.org' } })
          isFree = true
          return rows
        },
      },
    })
    const held = (await findCustomer(db(), shop.scope, holder.id)) as Customer
    const fresh = { ...held, id: newId('customer_', held.createdAt) }
    expect(await getOrInsertCustomer(sql, shop.scope, fresh)).toEqual({ customer: fresh, created: true })
    expect((await send('GET /v1/customers', { key })).body.data.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining([fresh.id, holder.id]),
    )
  })

  test('the metadata of a customer is returned with the sent values and key order, even with numeric keys and keys such as __proto__', async () => {
    const text = '{"b":1,"a":2.5,"10":"x","9":true,"__proto__":"kept","constructor":"too","e":1e3,"empty":""}'
    const response = await create({ email: 'meta@example.com', metadata: {} })
    expect(response.body.metadata).toEqual({})
    const { body } = await send('POST /v1/customers', { key, body: `{"email":"meta2@example.com","metadata":${text}}` })
    expect(JSON.stringify(body.metadata)).toBe(JSON.stringify(JSON.parse(text)))
  })
})

describe('update', () => {
  test.each(['', '   ', '\u00a0\u200b'])('the name %j of a customer is stored as null', async (name) => {
    const { body } = await create({ email: 'blank@example.com', name })
    expect(body.name).toBeNull()
    await send(`PATCH /v1/customers/${body.id}`, { key, body: { name: 'Ada' } })
    expect(await send(`PATCH /v1/customers/${body.id}`, { key, body: { name } })).toMatchObject({
      status: 200,
      body: { name: null },
    })
  })

  test('PATCH of a customer changes the name, clears the name with null, and keeps fields that are not sent', async () => {
    const customer = await aCustomer(key, { name: 'Ada', metadata: { a: 1 } })
    const patch = async (body: object) => (await send(`PATCH /v1/customers/${customer.id}`, { key, body })).body
    expect(await patch({ email: 'New@Example.com' })).toEqual({ ...customer, email: 'new@example.com' })
    expect(await patch({ name: 'Grace' })).toEqual({ ...customer, email: 'new@example.com', name: 'Grace' })
    expect(await patch({ name: null })).toEqual({ ...customer, email: 'new@example.com', name: null })
    expect(await patch({})).toEqual({ ...customer, email: 'new@example.com', name: null })
    const ignored = {
      country: 'DE',
      billingAddress: { city: 'X' },
      id: 'x',
      createdAt: 'x',
      testmode: false,
    }
    expect(await patch(ignored)).toEqual({ ...customer, email: 'new@example.com', name: null })
    expect(await eventsOf(shop)).toEqual([])
  })

  test('PATCH refuses the email address of another customer in any spelling, and accepts the current address of the customer', async () => {
    const one = await aCustomer(key, { email: 'one@example.com' })
    const two = await aCustomer(key, { email: 'two@example.com' })
    const patch = (email: string) => send(`PATCH /v1/customers/${two.id}`, { key, body: { email, name: 'X' } })
    const taken = await patch(' ONE@example.com')
    expect(taken).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(taken.body.errors).toEqual({ email: ['Another customer of this storefront and mode holds this address.'] })
    expect((await send(`GET /v1/customers/${two.id}`, { key })).body).toEqual(two)
    expect((await patch('TWO@example.com')).status).toBe(200)
    await send(`PATCH /v1/customers/${one.id}`, { key, body: { email: 'moved@example.com' } })
    expect(await patch('one@example.com')).toMatchObject({ status: 200, body: { email: 'one@example.com' } })
  })

  test('if ten customers are changed to the same email address simultaneously, only one request succeeds', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await aCustomer(key)).id))
    const wanting = ids.map((id) => send(`PATCH /v1/customers/${id}`, { key, body: { email: 'wanted@example.com' } }))
    const statuses = (await Promise.all(wanting)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(422)])
  })
})

describe('the email filter', () => {
  test('the email filter of customers compares canonical addresses, and treats % and _ as normal characters', async () => {
    const { body: held } = await create({ email: 'ada+shop@bücher.example' })
    await create({ email: 'ada@bücher.example' })
    const found = async (email: string) =>
      (await send(`GET /v1/customers?${new URLSearchParams({ email })}`, { key })).body.data.map(
        ({ id }: { id: string }) => id,
      )
    for (const email of ['ada+shop@xn--bcher-kva.example', ' ADA+Shop@BÜCHER.example'])
      expect(await found(email)).toEqual([held.id])
    for (const email of [
      'ada+shop@example.com',
      'shop@bücher.example',
      'a%@bücher.example',
      'ada_shop@bücher.example',
    ]) {
      expect(await found(email)).toEqual([])
    }
  })
})

describe('a portal session', () => {
  const ask = (id: string, as = key) => send(`POST /v1/customers/${id}/portal-sessions`, { key: as, body: {} })

  test('a portal link is refused for a customer without an invoice, and the error states the reason', async () => {
    const { body } = await create({ email: 'ada@example.com' })
    expect(await ask(body.id)).toMatchObject({
      status: 404,
      body: {
        code: 'portal_not_eligible',
        message: 'This customer has no invoice yet. The first paid order makes the customer eligible.',
      },
    })
    const { id: productId } = await aProduct(key)
    await pay(key, await aCheckout(key, productId, { customerId: body.id }))
    expect((await ask(body.id)).status).toBe(201)
  })

  test('a portal link is refused for an erased customer, and the error states the erasure', async () => {
    const { body } = await create({ email: 'ada@example.com' })
    await erase(body.id)
    expect(await ask(body.id)).toMatchObject({
      status: 404,
      body: { code: 'portal_not_eligible', message: 'The personal data of this customer was erased.' },
    })
  })

  test('a request for a portal link of a customer of another storefront or mode gets 404', async () => {
    const { body } = await create({ email: 'ada@example.com' })
    const other = await aShop({ name: 'Another one' })
    for (const as of [shop.liveKey, other.testKey])
      expect(await ask(body.id, as)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
