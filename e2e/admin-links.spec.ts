import { enter } from './operator.ts'
import { cli } from './shop.ts'
import { buy, lastOrder, pass } from './subscription.ts'
import { expect, test } from './test.ts'

test('the page of an order, customer, or other object links to all objects that it mentions', async ({
  page,
  baseURL,
  shop,
  merchant,
  shopUrl,
}) => {
  test.slow()
  await shop.api('POST', '/webhook-endpoints', { url: `${shopUrl}/hooks`, secret: merchant.secret })
  const subscription = await buy(shop, shopUrl)
  const sale = await lastOrder(shop)
  await pass(shop, 'P1M')
  const renewal = await lastOrder(shop)
  await shop.api('POST', `/orders/${sale.id}/refunds/full`, {})
  await pass(shop, 'PT1H')
  const refund = async () => (await shop.api('GET', `/orders/${sale.id}/refunds`)).data[0]
  await expect.poll(async () => (await refund()).orderId).not.toBeNull()
  const creditNote = (await refund()).orderId
  await cli('chargeback', 'raise', '--order', renewal.id, '--amount', '10.00')
  const { data: disputes } = await shop.api('GET', `/orders/${renewal.id}/chargebacks`)
  await enter(page, baseURL)
  const path = `/admin/test/${shop.storefrontId}`

  const linksOn = async (address: string): Promise<string[]> => {
    await page.goto(`${baseURL}${address}`)
    return page
      .locator('main a')
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
  }
  const firstOf = (links: readonly string[], section: string) => {
    const found = links.find((link) => link.startsWith(`${path}/${section}/`))
    expect(found, `a link to ${section}`).toBeDefined()
    return found ?? ''
  }

  const of = {
    customer: `${path}/customers/${subscription.customerId}`,
    subscription: `${path}/subscriptions/${subscription.id}`,
    sale: `${path}/orders/${sale.id}`,
    renewal: `${path}/orders/${renewal.id}`,
    creditNote: `${path}/orders/${creditNote}`,
    dispute: `${path}/chargebacks/${disputes[0].id}`,
  }
  const onSale = await linksOn(of.sale)
  const delivery = firstOf(onSale, 'deliveries')
  const email = firstOf(onSale, 'emails')
  const invoice = new URL(sale.links.customerInvoice.href).pathname
  const table: readonly (readonly [string, readonly string[]])[] = [
    [of.customer, [of.subscription, of.sale, of.renewal, of.dispute, email]],
    [of.subscription, [of.customer, of.sale, of.renewal, email]],
    [of.sale, [of.customer, of.subscription, of.creditNote, invoice, email, delivery]],
    [of.renewal, [of.customer, of.subscription, of.dispute]],
    [of.creditNote, [of.customer, of.sale]],
    [of.dispute, [of.customer, of.renewal]],
    [email, [of.customer, of.sale]],
    [delivery, [of.sale]],
  ]
  for (const [address, mentioned] of table) {
    const links = new Set(await linksOn(address))
    expect(
      mentioned.filter((each) => !links.has(each)),
      address,
    ).toEqual([])
  }
})
