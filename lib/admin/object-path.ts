const sections: Readonly<Record<string, string>> = {
  order_: 'orders',
  subscription_: 'subscriptions',
  customer_: 'customers',
  chargeback_: 'chargebacks',
  checkout_: 'checkouts',
  subscription_plan_: 'catalog',
  one_off_product_: 'catalog',
}

/** Returns the path of the page of an object, or null if the object has no page. `body` is the body of an event about the object. */
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

/** The name of an event's object at the time of the event: the object's invoice number, name, or email address. Null if it has none of these. */
export function objectName(body: string): string | null {
  const { object = {} } = JSON.parse(body) as { object?: Readonly<Record<string, unknown>> }
  const { invoiceNumber, name, email } = object
  return (
    ([invoiceNumber, name, email].find((each) => typeof each === 'string' && each !== '') as string | undefined) ?? null
  )
}
