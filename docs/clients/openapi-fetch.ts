import createClient from 'openapi-fetch'
import type { paths } from './generated.d.ts'
import type { Seen, Setting } from './seen.ts'

export async function run({ baseUrl, key, planId, subscriptionId }: Setting): Promise<Seen> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

  const { data: customer } = await client.POST('/v1/customers', {
    body: { email: 'openapi-fetch@example.com', metadata: { tier: 'gold', seats: 3, vip: true } },
    headers: { 'Idempotency-Key': 'openapi-fetch' },
  })
  if (!customer) throw new Error('no customer')
  const createdAt: string = customer.createdAt
  const tier: string | number | boolean | undefined = customer.metadata?.tier

  const { data: checkout } = await client.POST('/v1/checkouts', {
    body: {
      products: [{ id: planId, quantity: 2, metadata: { line: 1 } }],
      redirectUrlSuccess: 'https://shop.example/thanks?checkout={CHECKOUT_ID}',
      redirectUrlCanceled: 'https://shop.example/basket',
      metadata: { cart: 'c1' },
    },
  })

  await client.POST('/v1/subscription-plans/{id}/archive', { params: { path: { id: planId } } })
  const listed = async (includeArchived: boolean) => {
    const { data } = await client.GET('/v1/subscription-plans', { params: { query: { limit: 1, includeArchived } } })
    return data?.data.map((plan) => plan.archivedAt !== null) ?? []
  }
  const [active, all] = [await listed(false), await listed(true)]
  await client.DELETE('/v1/subscription-plans/{id}/archive', { params: { path: { id: planId } } })

  const canceled = await client.DELETE('/v1/subscriptions/{id}', {
    params: { path: { id: subscriptionId }, query: { immediately: true } },
  })
  const { data: subscription } = await client.GET('/v1/subscriptions/{id}', {
    params: { path: { id: subscriptionId } },
  })

  const { error: wrong } = await client.POST('/v1/customers', { body: { email: 'nobody' } })
  // Calls an endpoint that is not in the OpenAPI document, like a client that was generated for a newer version of the API.
  const { error: unknown } = await client.GET('/v1/tomorrow' as '/v1/customers')

  return {
    customer: { createdAt, tier: tier ?? null, metadata: customer.metadata },
    checkout: checkout?.metadata ?? null,
    archived: { active, all },
    canceled: [canceled.response.status, subscription?.status ?? ''],
    wrong: [wrong?.code ?? '', Object.keys(wrong?.errors ?? {})],
    unknown: [unknown?.code ?? '', unknown?.details?.openapi],
  }
}
