/** The pages of objects, below the path of a storefront, by the prefix of the id. */
const sections: Readonly<Record<string, string>> = {
  order_: 'orders',
  subscription_: 'subscriptions',
  customer_: 'customers',
  chargeback_: 'chargebacks',
  checkout_: 'checkouts',
  subscription_plan_: 'catalog',
  one_off_product_: 'catalog',
}

/** The path of the page of an event's object. `body` is the body of the event. Null for an object without a page. */
export function objectPath(path: string, entityId: string, body: string): string | null {
  const [, prefix = ''] = /^([a-z_]+_)[0-9A-Za-z]{22}$/.exec(entityId) ?? []
  const section = Object.hasOwn(sections, prefix) ? sections[prefix] : undefined
  if (section) return `${path}/${section}/${entityId}`
  if (prefix !== 'refund_') return null
  const { object } = JSON.parse(body) as { object?: { originalOrderId?: unknown } }
  return typeof object?.originalOrderId === 'string'
    ? `${path}/orders/${encodeURIComponent(object.originalOrderId)}`
    : null
}
