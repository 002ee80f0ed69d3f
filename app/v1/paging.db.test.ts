import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints, send } from '@/lib/testing/api.ts'
import { aCheckout, aCustomer, aProduct, pay, price } from '@/lib/testing/factories.ts'
import { aShop, type Shop } from '@/lib/testing/shop.ts'
import { GET } from './customers/route.ts'

const base = 'http://billhook.test'
const lists = [...endpoints].filter(([at, { query }]) => at.startsWith('GET ') && query && !at.includes('['))
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

let shop: Shop
const customers: string[] = []

const page = async (target: string) => (await send(`GET ${target}`, { key: shop.testKey })).body
const follow = (link: { href: string; type: string } | null) => {
  expect(link).toMatchObject({ type: 'application/json', href: expect.stringContaining(`${base}/v1/`) })
  return (link?.href ?? '').slice(base.length)
}

beforeAll(async () => {
  shop = await aShop()
  for (let made = 0; made < 23; made++) customers.push((await aCustomer(shop.testKey)).id)
})

describe('a list', () => {
  test.each(lists)('the list %s without items is an empty page without links to other pages', async (at) => {
    const { liveKey } = await aShop()
    for (const [method, target] of [at.split(' '), `${at}?limit=100`.split(' ')]) {
      const { body } = await send(`${method} ${target}`, { key: liveKey })
      const self = { href: `${base}${target}`, type: 'application/json' }
      expect(body).toEqual({ data: [], count: 0, links: { self, next: null, prev: null } })
    }
  })

  test('a list has ten items per page, newest first, even if all items were created in the same second', async () => {
    const newestFirst = [...customers].reverse()
    const first = await page('/v1/customers')
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 10))
    expect(first).toMatchObject({ count: 10, links: { self: { href: `${base}/v1/customers` }, prev: null } })
    expect(follow(first.links.next)).toBe(`/v1/customers?limit=10&startingAfter=${newestFirst[9]}`)

    const second = await page(follow(first.links.next))
    expect(idsOf(second)).toEqual(newestFirst.slice(10, 20))
    expect(second.links.self.href).toBe(first.links.next.href)
    expect(follow(second.links.next)).toBe(`/v1/customers?limit=10&startingAfter=${newestFirst[19]}`)
    expect(follow(second.links.prev)).toBe(`/v1/customers?limit=10&endingBefore=${newestFirst[10]}`)

    const third = await page(follow(second.links.next))
    expect(idsOf(third)).toEqual(newestFirst.slice(20))
    expect(third).toMatchObject({ count: 3, links: { next: null } })
    expect(idsOf(await page(follow(third.links.prev)))).toEqual(newestFirst.slice(10, 20))
  })

  test('the previous link of a list leads to the preceding page instead of the first page', async () => {
    const newestFirst = [...customers].reverse()
    const before = await page(`/v1/customers?limit=3&endingBefore=${newestFirst[10]}`)
    expect(idsOf(before)).toEqual(newestFirst.slice(7, 10))
    expect(follow(before.links.prev)).toBe(`/v1/customers?limit=3&endingBefore=${newestFirst[7]}`)
    expect(follow(before.links.next)).toBe(`/v1/customers?limit=3&startingAfter=${newestFirst[9]}`)

    const partly = await page(`/v1/customers?limit=3&endingBefore=${newestFirst[2]}`)
    expect(idsOf(partly)).toEqual(newestFirst.slice(0, 2))
    expect(partly.links).toMatchObject({ prev: null })
    expect(idsOf(await page(follow(partly.links.next)))).toEqual(newestFirst.slice(2, 5))
  })

  test.each([1, 2, 7, 22, 23, 24, 100])(
    'paging through a list by %i items in both directions shows each item once',
    async (limit) => {
      const there: string[] = []
      const pages: {
        data: { id: string }[]
        count: number
        links: Record<string, { href: string; type: string } | null>
      }[] = []
      for (let target: string | null = `/v1/customers?limit=${limit}`; target; ) {
        const one = await page(target)
        expect(one.count).toBe(one.data.length)
        pages.push(one)
        there.push(...idsOf(one))
        target = one.links.next && follow(one.links.next)
      }
      expect(there).toEqual([...customers].reverse())
      expect(pages).toHaveLength(Math.ceil(23 / limit))

      const back: string[] = []
      for (let one = pages.at(-1); one; one = one.links.prev ? await page(follow(one.links.prev)) : undefined) {
        back.unshift(...idsOf(one))
      }
      expect(back).toEqual(there)
    },
  )

  test('a list has no page before its newest item and no page after its oldest item', async () => {
    const [oldest, newest] = [customers[0], customers.at(-1)]
    for (const beyond of [`startingAfter=${oldest}`, `endingBefore=${newest}`]) {
      expect(await page(`/v1/customers?${beyond}`)).toMatchObject({
        data: [],
        count: 0,
        links: { next: null, prev: null },
      })
    }
  })

  test('if an object is created between two page requests, paging still shows each item of the original list once', async () => {
    const { testKey: key } = await aShop()
    const ids: string[] = []
    for (let made = 0; made < 4; made++) ids.unshift((await aCustomer(key)).id)
    const first = (await send('GET /v1/customers?limit=2', { key })).body
    await aCustomer(key)
    const second = (await send(`GET ${follow(first.links.next)}`, { key })).body
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids)
  })

  test('the next link of a list keeps the filters, and has `startingAfter` even if the request has `starting_after`', async () => {
    const { testKey: key } = await aShop()
    for (let made = 0; made < 3; made++) await aProduct(key)
    const { data } = (await send('GET /v1/one-off-products', { key })).body
    const target = `/v1/one-off-products?includeArchived=true&limit=1&starting_after=${data[0].id}`
    const { body } = await send(`GET ${target}`, { key })
    expect(body.links.self.href).toBe(`${base}${target}`)
    const next = new URL(body.links.next.href).searchParams
    expect([...next].sort()).toEqual(
      [
        ['includeArchived', 'true'],
        ['limit', '1'],
        ['startingAfter', body.data[0].id],
      ].sort(),
    )
  })

  test('a list accepts the cursor of an archived object', async () => {
    const { testKey: key } = await aShop()
    const ids: string[] = []
    for (let made = 0; made < 5; made++) ids.unshift((await aProduct(key)).id)
    const [, second, hidden, fourth, last] = ids
    await send(`POST /v1/one-off-products/${hidden}/archive`, { key })
    await send(`POST /v1/one-off-products/${last}/archive`, { key })
    const list = async (query: string) => (await send(`GET /v1/one-off-products?${query}`, { key })).body

    const after = await list(`limit=1&startingAfter=${hidden}`)
    expect(idsOf(after)).toEqual([fourth])
    expect(after.links).toMatchObject({ next: null, prev: { href: expect.stringContaining(`endingBefore=${fourth}`) } })
    const before = await list(`limit=1&endingBefore=${hidden}`)
    expect(idsOf(before)).toEqual([second])
    expect(before.links.next.href).toContain(`startingAfter=${second}`)
    expect(idsOf(await list(`endingBefore=${last}`))).toEqual(ids.filter((id) => id !== hidden && id !== last))
    expect(idsOf(await list('includeArchived=true'))).toEqual(ids)
  })

  test('a list accepts the id of an object as a cursor even if the filter excludes the object', async () => {
    const held = (await page(`/v1/customers?limit=1`)).data[0]
    const query = new URLSearchParams({ email: held.email })
    expect(idsOf(await page(`/v1/customers?${query}&startingAfter=${customers[3]}`))).toEqual([])
    expect(idsOf(await page(`/v1/customers?${query}&endingBefore=${customers[3]}`))).toEqual([held.id])
  })

  test('the list of an order’s refunds accepts the id of another order’s refund as a cursor, but contains only its own refunds', async () => {
    const { testKey: key } = await aShop()
    const orders = []
    const mine: string[] = []
    const all: string[] = []
    for (let made = 0; made < 2; made++)
      orders.push((await pay(key, await aCheckout(key, (await aProduct(key)).id))).orderId)
    for (let made = 0; made < 6; made++) {
      const { lines } = (await send(`GET /v1/orders/${orders[made % 2]}`, { key })).body
      const items = [{ itemId: lines[0].id, amount: price('1.00') }]
      const { id } = (await send(`POST /v1/orders/${orders[made % 2]}/refunds`, { key, body: { items } })).body
      if (made % 2 === 0) mine.unshift(id)
      all.unshift(id)
    }
    const path = `/v1/orders/${orders[0]}/refunds`
    const list = async (target: string) => (await send(`GET ${target}`, { key })).body
    expect(idsOf(await list('/v1/refunds?limit=4'))).toEqual(all.slice(0, 4))
    expect(idsOf(await list(path))).toEqual(mine)
    const first = await list(`${path}?limit=2`)
    expect(idsOf(first)).toEqual(mine.slice(0, 2))
    expect(follow(first.links.next)).toBe(`${path}?limit=2&startingAfter=${mine[1]}`)
    const second = await list(follow(first.links.next))
    expect(idsOf(second)).toEqual(mine.slice(2))
    expect(idsOf(await list(follow(second.links.prev)))).toEqual(mine.slice(0, 2))
    // The refund `all[2]` belongs to the second order. It was created between two refunds of the first order.
    expect(idsOf(await list(`${path}?startingAfter=${all[2]}`))).toEqual(mine.slice(1))
    expect(idsOf(await list(`${path}?endingBefore=${all[2]}`))).toEqual(mine.slice(0, 1))
  })

  test('the page links of a list start with the configured public URL, and ignore the Host header', async () => {
    const request = new Request('http://evil.example/v1/customers?limit=1', {
      headers: { authorization: `Bearer ${shop.testKey}`, 'x-forwarded-host': 'evil.example' },
    })
    const text = await (await GET(request, { params: Promise.resolve({}) })).text()
    expect(text).toContain(`"self":{"href":"${base}/v1/customers?limit=1"`)
    expect(text).not.toContain('evil.example')
  })
})
