import { beforeAll, expect, test } from 'vitest'
import * as factories from '../testing/factories.ts'
import { anOperator } from '../testing/operator.ts'
import { recordedQueries } from '../testing/recorded-queries.ts'
import { aShop } from '../testing/shop.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
beforeAll(async () => {
  ;({ cookies } = await anOperator('checkout-rows@example.com'))
})

test('the list of checkouts shows each buyer and amount, with the same number of queries for any number of rows', async () => {
  const { storefrontId, testKey } = await aShop()
  const at = { mode: 'test', storefrontId }
  const rows = async () => (await admin.checkoutsPage(at, {}, cookies))?.list.rows ?? []
  const { id: productId } = await factories.aProduct(testKey)
  await factories.aCheckout(testKey, productId)
  const few = (await recordedQueries(rows)).length

  const { id: customerId } = await factories.aCustomer(testKey, { email: 'jan@example.com' })
  await factories.aCheckout(testKey, productId, { customerId })
  const buyer = { fullName: 'Ada Lovelace', country: 'NL', companyName: '', taxId: '' }
  await factories.pay(testKey, await factories.aCheckout(testKey, productId), buyer)
  const [paid, chosen, unknown] = await rows()
  expect(paid).toMatchObject({ buyer: 'Ada Lovelace', amount: { currency: 'EUR' }, taxBehavior: null })
  expect(paid?.orderId).toMatch(/^order_/)
  expect(Number(paid?.amount.value)).toBeGreaterThan(24.5)
  expect(chosen).toMatchObject({ buyer: 'jan@example.com', orderId: null })
  expect(unknown).toMatchObject({ buyer: null, amount: { value: '24.50', currency: 'EUR' }, taxBehavior: 'exclusive' })
  expect((await recordedQueries(rows)).length).toBe(few)
})
