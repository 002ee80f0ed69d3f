import { orderCount, type Peer, type Resource, send } from './peer.ts'

export const vendure: Peer = {
  name: 'vendure',
  title: 'Vendure',
  pinned: '@vendure/core',
  prepare: [['prepare.js']],
  start: ['start.js'],
  async fill(origin) {
    const { token } = await ask(origin, 'admin-api', undefined, login)
    const admin = async (query: string, variables?: object) =>
      (await ask(origin, 'admin-api', token, query, variables)).data
    const items = { inputs: [] as { productVariantId: string; quantity: number }[] }
    for (const [name, price, quantity] of [
      ['Handbook', 2900, 1],
      ['Seat', 900, 3],
    ] as const) {
      const translations = [{ languageCode: 'en', name, slug: name.toLowerCase(), description: 'All chapters.' }]
      const { createProduct } = await admin(newProduct, { input: { enabled: true, translations } })
      const variant = {
        productId: createProduct.id,
        sku: name,
        price,
        trackInventory: 'FALSE',
        translations: [{ languageCode: 'en', name }],
      }
      const { createProductVariants } = await admin(newVariants, { input: [variant] })
      items.inputs.push({ productVariantId: createProductVariants[0].id, quantity })
    }
    const ids: string[] = []
    while (ids.length < orderCount) ids.push(await sell(origin, items, ids.length))
    const route = (requests: ReturnType<typeof request>[]) => ({ status: 200, requests, refused: refusal.source })
    return {
      order: route(
        ids.map((id) => request('admin-api', token, `query ($id: ID!) { order(id: $id) ${order} }`, { id })),
      ),
      orders: route([request('admin-api', token, `{ orders(options: { ${newest} }) { totalItems items ${order} } }`)]),
      cart: route([request('shop-api', undefined, addItems, items)]),
    }
  },
}

/** A response with status 200 can contain GraphQL errors or errors in Vendure's results. */
const refusal = /"errors":|"errorCode":/

/** The GraphQL fields of an order. They are about the same fields as in the responses of the other shop systems. */
const order = `{ id code state createdAt updatedAt orderPlacedAt currencyCode
  subTotal subTotalWithTax shipping shippingWithTax total totalWithTax
  customer { id emailAddress firstName lastName }
  lines { id quantity unitPrice unitPriceWithTax linePrice linePriceWithTax taxRate productVariant { id sku name } }
  payments { id state method amount createdAt } }`
const newest = 'take: 10, sort: { orderPlacedAt: DESC }, filter: { active: { eq: false } }'
const result = '{ __typename ... on ErrorResult { errorCode message } }'
const login = `mutation { login(username: "bench", password: "bench") ${result} }`
const newProduct = 'mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }'
const newVariants = 'mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }'
const addItems = `mutation ($inputs: [AddItemInput!]!) { addItemsToOrder(inputs: $inputs) {
  order { id code state currencyCode subTotal subTotalWithTax total totalWithTax
    lines { id quantity unitPrice unitPriceWithTax linePrice linePriceWithTax productVariant { id sku name } } }
  errorResults { ... on ErrorResult { errorCode message } } } }`

/** Creates a paid guest order. Returns its id. */
async function sell(origin: string, items: object, n: number): Promise<string> {
  const { token } = await ask(origin, 'shop-api', undefined, addItems, items)
  const shop = async (query: string, variables?: object) =>
    (await ask(origin, 'shop-api', token, query, variables)).data
  await shop(`mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) ${result} }`, {
    input: { emailAddress: `buyer-${n}@shop.example`, firstName: 'Ada', lastName: 'Lovelace' },
  })
  await shop(`mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) ${result} }`, {
    input: { fullName: 'Ada Lovelace', streetLine1: 'Gasse 1', city: 'Berlin', postalCode: '10115', countryCode: 'DE' },
  })
  const { eligibleShippingMethods: methods } = await shop('{ eligibleShippingMethods { id } }')
  const shipping = `mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) ${result} }`
  await shop(shipping, { id: [methods[0].id] })
  await shop(`mutation { transitionOrderToState(state: "ArrangingPayment") ${result} }`)
  const pay = `addPaymentToOrder(input: { method: "card", metadata: {} })`
  const { addPaymentToOrder: paid } = await shop(
    `mutation { ${pay} { ... on Order { id state } ... on ErrorResult { errorCode message } } }`,
  )
  if (paid.state !== 'PaymentSettled') throw new Error(`a paid order of Vendure is ${paid.state}`)
  return paid.id
}

function request(api: string, token: string | undefined, query: string, variables?: object) {
  return {
    method: 'POST',
    path: `/${api}`,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  }
}

/** The result contains the session token. Only the first response of a session has this token. */
async function ask(
  origin: string,
  api: 'admin-api' | 'shop-api',
  token: string | undefined,
  query: string,
  variables?: object,
): Promise<{ data: Resource; token: string | undefined }> {
  const { path, ...sent } = request(api, token, query, variables)
  const { body, text, headers } = await send(origin + path, sent)
  if (refusal.test(text)) throw new Error(`Vendure answered ${query} with ${text.slice(0, 500)}`)
  return { data: body.data, token: headers.get('vendure-auth-token') ?? token }
}
