import { orderCount, type Peer, type Resource, send } from './peer.ts'

const cli = 'node_modules/@medusajs/cli/cli.js'
const account = { email: 'admin@shop.example', password: 'of-the-bench' }

export const medusa: Peer = {
  name: 'medusa',
  title: 'Medusa',
  pinned: '@medusajs/medusa',
  prepare: [
    [cli, 'db:migrate', '--execute-all-links'],
    [cli, 'user', '--email', account.email, '--password', account.password],
  ],
  start: [cli, 'start', '--host', '127.0.0.1'],
  async fill(origin) {
    const { token } = await post(`${origin}/auth/user/emailpass`, {}, account)
    const admin = { authorization: `Bearer ${token}` }
    const shop = await makeShop((path, body) => post(`${origin}/admin/${path}`, admin, body))
    const ids: string[] = []
    while (ids.length < orderCount) ids.push(await sell(origin, shop, ids.length))
    const get = (path: string) => ({ method: 'GET', path, headers: admin })
    const cart = {
      method: 'POST',
      path: '/store/carts',
      headers: { ...shop.headers, ...json },
      body: JSON.stringify(shop.cart),
    }
    return {
      order: { status: 200, requests: ids.map((id) => get(`/admin/orders/${id}`)) },
      orders: { status: 200, requests: [get('/admin/orders?limit=10&order=-created_at')] },
      cart: { status: 200, requests: [cart] },
    }
  },
}

const json = { 'content-type': 'application/json' }

interface Shop {
  readonly headers: { readonly 'x-publishable-api-key': string }
  readonly cart: object
  readonly shippingOptionId: string
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<Resource> {
  const sent = { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify(body) }
  return (await send(url, sent)).body
}

async function makeShop(admin: (path: string, body: object) => Promise<Resource>): Promise<Shop> {
  const { sales_channel: channel } = await admin('sales-channels', { name: 'Bench' })
  const { api_key: key } = await admin('api-keys', { title: 'Bench', type: 'publishable' })
  await admin(`api-keys/${key.id}/sales-channels`, { add: [channel.id] })
  const { region } = await admin('regions', {
    name: 'Germany',
    currency_code: 'eur',
    countries: ['de'],
    payment_providers: ['pp_system_default'],
  })
  const rate = { name: 'Standard', code: 'standard', rate: 19 }
  await admin('tax-regions', { country_code: 'de', provider_id: 'tp_system', default_tax_rate: rate })
  const { shipping_profile: profile } = await admin('shipping-profiles', { name: 'Bench', type: 'bench' })
  const shippingOptionId = await makeShipping(admin, channel.id, profile.id)
  const items = []
  for (const [title, amount, quantity] of [
    ['Handbook', 29, 1],
    ['Seat', 9, 3],
  ] as const) {
    const { product } = await admin('products', {
      title,
      status: 'published',
      shipping_profile_id: profile.id,
      sales_channels: [{ id: channel.id }],
      options: [{ title: 'Edition', values: ['Only'] }],
      variants: [
        {
          title,
          sku: title,
          manage_inventory: false,
          options: { Edition: 'Only' },
          prices: [{ amount, currency_code: 'eur' }],
        },
      ],
    })
    items.push({ variant_id: product.variants[0].id, quantity })
  }
  const headers = { 'x-publishable-api-key': key.token }
  return { headers, shippingOptionId, cart: { region_id: region.id, sales_channel_id: channel.id, items } }
}

async function makeShipping(
  admin: (path: string, body: object) => Promise<Resource>,
  channelId: string,
  profileId: string,
): Promise<string> {
  const { stock_location: location } = await admin('stock-locations', { name: 'Store' })
  const of = `stock-locations/${location.id}`
  await admin(`${of}/sales-channels`, { add: [channelId] })
  await admin(`${of}/fulfillment-providers`, { add: ['manual_manual'] })
  const { stock_location: withSet } = await admin(`${of}/fulfillment-sets?fields=*fulfillment_sets`, {
    name: 'Shipping',
    type: 'shipping',
  })
  const set = withSet.fulfillment_sets[0].id
  const { fulfillment_set: withZone } = await admin(`fulfillment-sets/${set}/service-zones`, {
    name: 'Germany',
    geo_zones: [{ type: 'country', country_code: 'de' }],
  })
  const { shipping_option: option } = await admin('shipping-options', {
    name: 'Standard',
    price_type: 'flat',
    provider_id: 'manual_manual',
    service_zone_id: withZone.service_zones[0].id,
    shipping_profile_id: profileId,
    type: { label: 'Standard', description: 'By post', code: 'standard' },
    prices: [{ currency_code: 'eur', amount: 5 }],
  })
  return option.id
}

/** Creates a guest order whose payment Medusa's manual provider authorizes. Returns the order id. */
async function sell(origin: string, { headers, cart: wanted, shippingOptionId }: Shop, n: number): Promise<string> {
  const store = (path: string, body: object) => post(`${origin}/store/${path}`, headers, body)
  const address = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    address_1: 'Gasse 1',
    city: 'Berlin',
    postal_code: '10115',
  }
  const { cart } = await store('carts', {
    ...wanted,
    email: `buyer-${n}@shop.example`,
    shipping_address: { ...address, country_code: 'de' },
  })
  await store(`carts/${cart.id}/shipping-methods`, { option_id: shippingOptionId })
  const { payment_collection: payment } = await store('payment-collections', { cart_id: cart.id })
  await store(`payment-collections/${payment.id}/payment-sessions`, { provider_id: 'pp_system_default' })
  const completed = await store(`carts/${cart.id}/complete`, {})
  if (completed.type !== 'order') throw new Error(`a cart of Medusa was completed as ${JSON.stringify(completed)}`)
  return completed.order.id
}
