import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import * as factories from '../testing/factories.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { drainTasks, ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

const buyer = {
  companyName: 'Zwölf Äpfel Genossenschaft',
  fullName: 'Ottilie Querfurt',
  email: 'o.querfurt@zwoelf.example',
}
let of: Scenario
let cookies: string | null
beforeAll(async () => {
  of = await subscriptionScenario({ buyer, plan: { name: 'Orchard 100%' } })
  cookies = (await anOperator('search@example.com')).cookies
})

const search = async (text: string, as: string | null = cookies) => (await admin.searchPage(text, as))?.found ?? []
const urlsOf = async (text: string, as?: string | null) => (await search(text, as)).map(({ url }) => url)
const root = () => `/admin/test/${of.shop.storefrontId}`

describe('the search by a part of a text', () => {
  test.each(['äpfel', 'ZWÖLF ÄPFEL', 'querf', 'Ottilie Q', 'zwoelf.ex', 'O.QUERFURT@zwoelf.example'])(
    'the search finds the customer by %s',
    async (text) => {
      const found = await search(text)
      expect(found).toMatchObject([{ url: `${root()}/customers/${of.customerId}`, group: 'customers', mode: 'test' }])
    },
  )

  test('the search shows the matching company name with the email address of the customer', async () => {
    expect(await search('genossen')).toMatchObject([
      { label: 'Zwölf Äpfel Genossenschaft', detail: 'o.querfurt@zwoelf.example' },
    ])
  })

  test('the search finds the company name of a one-off purchase', async () => {
    const { id } = await factories.aProduct(of.key)
    const checkout = await factories.aCheckout(of.key, id)
    const single = { companyName: 'Einmal & Söhne', email: 'einmal@example.com' }
    const { customerId } = await factories.pay(of.key, checkout, { country: 'DE', ...single })
    await drainTasks()
    expect(await urlsOf('& söhne')).toEqual([`${root()}/customers/${customerId}`])
  })

  test('the search finds orders by the first characters of the invoice number, and plans by a part of the name', async () => {
    const [order] = await ordersOf(of)
    const number: string = order.invoiceNumber
    expect(await urlsOf(number.slice(0, -1).toLowerCase())).toContain(`${root()}/orders/${order.id}`)
    expect((await urlsOf(number))[0]).toBe(`${root()}/orders/${order.id}`)
    expect(await urlsOf('d 100%')).toEqual([`${root()}/catalog/${of.planId}`])
  })

  test.each(['zw', '%', '___', '%%%', "' OR 1=1", '\\\\\\'])('the search text %s finds nothing', async (text) => {
    expect(await urlsOf(text)).toEqual([])
  })

  test('the search of a member finds no records of another merchant', async () => {
    const other = await subscriptionScenario({ buyer: { ...buyer, email: 'other@zwoelf.example' } })
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: other.shop.storefrontId } })
    const member = await aMember('member-search@example.com', merchant_id, 'support')
    const url = `/admin/test/${other.shop.storefrontId}/customers/${other.customerId}`
    expect(await urlsOf('genossen', member.cookies)).toEqual([url])
    expect(await urlsOf('genossen')).toHaveLength(2)
  })
})

// This group runs last, because the searches of the other tests would find the customers that this group creates.
describe('the search among many customers', () => {
  let member: string | null
  beforeAll(async () => {
    const { storefrontId } = of.shop
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: storefrontId } })
    member = (await aMember('many-search@example.com', merchant_id, 'support')).cookies
    await db().$executeRaw`
      INSERT INTO customers (id, storefront_id, testmode, email, name, created_at)
      SELECT 'customer_zz' || lpad(n::text, 20, '0'), ${storefrontId}, true, 'many-' || n || '@example.com',
        CASE WHEN n = 5999 THEN 'Jolanta Querfurtner' ELSE 'Common Name ' || n END, now() FROM generate_series(1, 6000) n`
  })
  const idsOf = async (text: string, as: string | null) =>
    (await urlsOf(text, as)).map((url) => url.slice(url.lastIndexOf('/') + 1))
  const customer = (n: number) => `customer_zz${String(n).padStart(20, '0')}`

  test.each(['an operator', 'a member'])(
    'the search by %s for a text that is in many names finds the newest customers',
    async (who) => {
      const as = who === 'a member' ? member : cookies
      const numbers = Array.from({ length: 21 }, (_, index) => 6000 - index).filter((n) => n !== 5999)
      expect(await idsOf('mon nam', as)).toEqual(numbers.map(customer))
      expect(await idsOf('mmo', as)).toHaveLength(20)
    },
  )

  test.each(['an operator', 'a member'])(
    'the search by %s finds an old customer, and lists no customer twice',
    async (who) => {
      const as = who === 'a member' ? member : cookies
      expect(await idsOf('many-17@', as)).toEqual([customer(17)])
      expect(await idsOf('äpf', as)).toContain(of.customerId)
      const found = await idsOf('querfurt', as)
      expect(found).toContain(customer(5999))
      expect(found).toContain(of.customerId)
      expect(new Set(found).size).toBe(found.length)
    },
  )
})
