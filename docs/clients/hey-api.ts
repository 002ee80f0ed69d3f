import { client } from './generated/client.gen'
import {
  archiveSubscriptionPlan,
  cancelSubscription,
  createCheckout,
  createCustomer,
  getSubscription,
  listSubscriptionPlans,
  unarchiveSubscriptionPlan,
} from './generated/index'
import type { Seen, Setting } from './seen.ts'

export async function run({ baseUrl, key, planId, subscriptionId }: Setting): Promise<Seen> {
  client.setConfig({ baseUrl, auth: key })

  const { data: customer } = await createCustomer({
    body: { email: 'hey-api@example.com', metadata: { tier: 'gold', seats: 3, vip: true } },
    headers: { 'Idempotency-Key': 'hey-api' },
  })
  if (!customer) throw new Error('no customer')
  const createdAt: string = customer.createdAt
  const tier: string | number | boolean | undefined = customer.metadata?.tier

  const { data: checkout } = await createCheckout({
    body: {
      products: [{ id: planId, quantity: 2, metadata: { line: 1 } }],
      redirectUrlSuccess: 'https://shop.example/thanks?checkout={CHECKOUT_ID}',
      redirectUrlCanceled: 'https://shop.example/basket',
      metadata: { cart: 'c1' },
    },
  })

  await archiveSubscriptionPlan({ path: { id: planId } })
  const listed = async (includeArchived: boolean) => {
    const { data } = await listSubscriptionPlans({ query: { limit: 1, includeArchived } })
    return data?.data.map((plan) => plan.archivedAt !== null) ?? []
  }
  const [active, all] = [await listed(false), await listed(true)]
  await unarchiveSubscriptionPlan({ path: { id: planId } })

  const canceled = await cancelSubscription({ path: { id: subscriptionId }, query: { immediately: true } })
  const { data: subscription } = await getSubscription({ path: { id: subscriptionId } })

  const { error: wrong } = await createCustomer({ body: { email: 'nobody' } })
  // Calls an endpoint that is not in the OpenAPI document, like a client that was generated for a newer version of the API.
  const { error: unknown } = await client.get<unknown, { 404: NonNullable<typeof wrong> }>({ url: '/v1/tomorrow' })

  return {
    customer: { createdAt, tier: tier ?? null, metadata: customer.metadata },
    checkout: checkout?.metadata ?? null,
    archived: { active, all },
    canceled: [canceled.response?.status ?? 0, subscription?.status ?? ''],
    wrong: [wrong?.code ?? '', Object.keys(wrong?.errors ?? {})],
    unknown: [unknown?.code ?? '', unknown?.details?.openapi],
  }
}
