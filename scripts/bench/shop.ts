import type { Load } from './load.ts'

export interface Shop {
  readonly customerIds: readonly string[]
  /** Products for measurements that archive a product to cause an event. Each product can be archived once. */
  readonly productIds: readonly string[]
  readonly planId: string
  readonly checkoutBody: object
}

export interface Stock {
  readonly customers: number
  readonly sales: number
  readonly products: number
}

export interface Api {
  call(status: number, method: string, path: string, body?: object): Promise<Resource>
  readonly request: (method: string, path: string, body?: object) => Load['requests'][number]
}

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
type Resource = any

const atOnce = 8

export function apiOf(baseUrl: string, key: string): Api {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const request: Api['request'] = (method, path, body) => ({
    method,
    path,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    request,
    async call(status, method, path, body) {
      const response = await fetch(baseUrl + path, request(method, path, body))
      const text = await response.text()
      if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

/** Fills the demo storefront with customers, products, and sales. Buyers pay on the hosted pages. */
export async function stock(baseUrl: string, api: Api, { customers, sales, products }: Stock): Promise<Shop> {
  const plans = await api.call(200, 'GET', '/v1/subscription-plans')
  const planId: string = plans.data[0].id
  const price = { value: '29.00', currency: 'EUR' }
  const terms = { name: 'Handbook', description: 'All chapters.', basePrice: price, productType: 'ebook' }
  const product = await api.call(201, 'POST', '/v1/one-off-products', terms)
  const checkoutBody = {
    products: [{ id: planId, quantity: 3 }, { id: product.id }],
    redirectUrlSuccess: 'https://shop.example/thanks?checkout={CHECKOUT_ID}',
    redirectUrlCanceled: 'https://shop.example/basket',
  }
  const created = await times(customers, (n) => {
    const customer = { email: `customer-${n}@shop.example`, name: `Customer ${n}`, metadata: { crm: `A-${n}` } }
    return api.call(201, 'POST', '/v1/customers', customer)
  })
  const archivable = await times(products, () => api.call(201, 'POST', '/v1/one-off-products', terms))
  await times(sales, async (n) => {
    const checkout = await api.call(201, 'POST', '/v1/checkouts', checkoutBody)
    await pay(baseUrl, checkout.links.checkoutUrl.href, `buyer-${n}@shop.example`)
  })
  const orders = await api.call(200, 'GET', '/v1/orders?limit=100')
  const paid = orders.data.filter(({ status }: { status: string }) => status === 'paid').length
  if (paid < Math.min(sales, 100)) throw new Error(`${paid} of the newest orders are paid`)
  return { customerIds: created.map(({ id }) => id), productIds: archivable.map(({ id }) => id), planId, checkoutBody }
}

export async function sellOne(baseUrl: string, api: Api): Promise<string> {
  const plan = await api.call(201, 'POST', '/v1/subscription-plans', {
    name: 'Team',
    description: 'One seat',
    basePrice: { value: '29.00', currency: 'EUR' },
    productType: 'saas',
    interval: 'month',
    intervalCount: 1,
  })
  const checkout = await api.call(201, 'POST', '/v1/checkouts', {
    products: [{ id: plan.id }],
    redirectUrlSuccess: 'https://shop.example/thanks?checkout={CHECKOUT_ID}',
    redirectUrlCanceled: 'https://shop.example/basket',
  })
  await pay(baseUrl, checkout.links.checkoutUrl.href, 'year@shop.example')
  const { data } = await api.call(200, 'GET', '/v1/subscriptions')
  return data[0].id
}

/** Submits the checkout form and the test payment form as a browser without JavaScript does. */
export async function pay(baseUrl: string, checkoutUrl: string, email: string): Promise<void> {
  const buyer = { email, fullName: 'Ada Lovelace', country: 'DE', paymentMethod: 'creditcard' }
  const paymentPage = await submit(`${checkoutUrl}/submit`, buyer)
  const shop = await submit(`${baseUrl}${paymentPage}/submit`, { outcome: 'paid', mandate: 'valid' })
  if (!shop.startsWith('https://shop.example/thanks')) throw new Error(`a paid checkout led to ${shop}`)
}

async function submit(url: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  await response.arrayBuffer()
  const location = response.headers.get('location')
  if (response.status !== 303 || location === null) throw new Error(`a form got ${response.status}`)
  return location
}

/** Runs `work` with the numbers from 1 to `count`, a few at a time. */
async function times<Result>(count: number, work: (n: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    while (next < count) results.push(await work(++next))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
