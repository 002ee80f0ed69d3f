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
    'finds the customer by %s',
    async (text) => {
      const found = await search(text)
      expect(found).toMatchObject([{ url: `${root()}/customers/${of.customerId}`, group: 'customers', mode: 'test' }])
    },
  )

  test('shows the company that matched, and the email address beside it', async () => {
    expect(await search('genossen')).toMatchObject([
      { label: 'Zwölf Äpfel Genossenschaft', detail: 'o.querfurt@zwoelf.example' },
    ])
  })

  test('finds the company of a one-off purchase', async () => {
    const { id } = await factories.aProduct(of.key)
    const checkout = await factories.aCheckout(of.key, id)
    const single = { companyName: 'Einmal & Söhne', email: 'einmal@example.com' }
    const { customerId } = await factories.pay(of.key, checkout, { country: 'DE', ...single })
    await drainTasks()
    expect(await urlsOf('& söhne')).toEqual([`${root()}/customers/${customerId}`])
  })

  test('finds orders by the beginning of the invoice number, and plans by a part of the name', async () => {
    const [order] = await ordersOf(of)
    const number: string = order.invoiceNumber
    expect(await urlsOf(number.slice(0, -1).toLowerCase())).toContain(`${root()}/orders/${order.id}`)
    expect((await urlsOf(number))[0]).toBe(`${root()}/orders/${order.id}`)
    expect(await urlsOf('d 100%')).toEqual([`${root()}/catalog/${of.planId}`])
  })

  test.each(['zw', '%', '___', '%%%', "' OR 1=1", '\\\\\\'])('finds nothing by %s', async (text) => {
    expect(await urlsOf(text)).toEqual([])
  })

  test('a member finds no records of another merchant', async () => {
    const other = await subscriptionScenario({ buyer: { ...buyer, email: 'other@zwoelf.example' } })
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: other.shop.storefrontId } })
    const member = await aMember('member-search@example.com', merchant_id, 'support')
    const url = `/admin/test/${other.shop.storefrontId}/customers/${other.customerId}`
    expect(await urlsOf('genossen', member.cookies)).toEqual([url])
    expect(await urlsOf('genossen')).toHaveLength(2)
  })
})
