import { cents, type MollieBooks, type Payment } from './mollie-books.ts'

const hal = 'application/hal+json'
const at = (path: string) => ({ href: `https://api.mollie.com/v2/${path}`, type: hal })
const page = (href: string) => ({ href, type: 'text/html' })
const documentation = page('https://docs.mollie.com')

/**
 * Whether a payment can be canceled, which is never true for an iDEAL payment. Mollie omits `isCancelable` for a
 * payment with a final status.
 */
export const isCancelable = ({ status, method }: Payment): boolean => status === 'open' && method !== 'ideal'

const isFinal = ({ status }: Payment): boolean => status !== 'open' && status !== 'pending'

export function shownPayment({ books, url }: { books: MollieBooks; url: string }, payment: Payment) {
  const { id, customerId, mandateId, amount, status } = payment
  const chargebacks = books.chargebacks.filter(({ paymentId }) => paymentId === id)
  const taken = chargebacks.filter(({ reversedAt }) => !reversedAt)
  const value = (taken.reduce((sum, each) => sum + cents(each.amount), 0) / 100).toFixed(2)
  const refunds = books.refunds.filter(
    ({ paymentId, status }) => paymentId === id && !['failed', 'canceled'].includes(status),
  )
  const refunded = (refunds.reduce((sum, each) => sum + cents(each.amount), 0) / 100).toFixed(2)
  const { customerId: _, ...shown } = payment
  return {
    resource: 'payment',
    mode: 'live',
    profileId: 'pfl_standin',
    ...shown,
    ...(customerId !== null && { customerId }),
    ...(!isFinal(payment) && { isCancelable: isCancelable(payment) }),
    ...(refunds.length > 0 && { amountRefunded: { currency: amount.currency, value: refunded } }),
    ...(taken.length > 0 && { amountChargedBack: { currency: amount.currency, value } }),
    _links: {
      self: at(`payments/${id}`),
      dashboard: page(`https://my.mollie.com/dashboard/org_1/payments/${id}`),
      ...(chargebacks.length > 0 && { chargebacks: at(`payments/${id}/chargebacks`) }),
      ...(customerId !== null && { customer: at(`customers/${customerId}`) }),
      ...(mandateId !== null && { mandate: at(`customers/${customerId}/mandates/${mandateId}`) }),
      ...(status === 'open' && { checkout: page(`${url}/checkout/${id}`) }),
    },
  }
}

type Of<Collection extends 'customers' | 'mandates' | 'refunds' | 'chargebacks' | 'settlements'> =
  MollieBooks[Collection][number]

export const shownCustomer = (customer: Of<'customers'>) => ({
  resource: 'customer',
  mode: 'live',
  ...customer,
  _links: { self: at(`customers/${customer.id}`), dashboard: page('https://my.mollie.com'), documentation },
})

/** While a mandate is pending, Mollie does not state its account and its reference. */
export function shownMandate(mandate: Of<'mandates'>) {
  const { id, customerId, status, mandateReference } = mandate
  const details = Object.entries(mandate.details)
  const isPending = status === 'pending'
  return {
    resource: 'mandate',
    mode: 'live',
    ...mandate,
    mandateReference: isPending ? null : mandateReference,
    details: Object.fromEntries(details.map(([name, value]) => [name, isPending ? null : value])),
    _links: {
      self: at(`customers/${customerId}/mandates/${id}`),
      customer: at(`customers/${customerId}`),
      documentation,
    },
  }
}

export const shownRefund = (refund: Of<'refunds'>) => ({
  resource: 'refund',
  mode: 'live',
  ...refund,
  _links: {
    self: at(`payments/${refund.paymentId}/refunds/${refund.id}`),
    payment: at(`payments/${refund.paymentId}`),
    documentation,
  },
})

export const shownChargeback = (chargeback: Of<'chargebacks'>) => ({
  resource: 'chargeback',
  ...chargeback,
  _links: {
    self: at(`payments/${chargeback.paymentId}/chargebacks/${chargeback.id}`),
    payment: at(`payments/${chargeback.paymentId}`),
    documentation,
  },
})

/** A settlement shows refunds and chargebacks as negative amounts. */
export const settledMoney = ({ amount }: Pick<Of<'refunds'>, 'amount'>) => ({
  settlementAmount: { currency: amount.currency, value: `-${amount.value}` },
})

export const shownSettlement = ({ includes: _, ...settlement }: Of<'settlements'>) => ({
  resource: 'settlement',
  ...settlement,
  _links: {
    self: at(`settlements/${settlement.id}`),
    payments: at(`settlements/${settlement.id}/payments`),
    captures: at(`settlements/${settlement.id}/captures`),
    refunds: at(`settlements/${settlement.id}/refunds`),
    chargebacks: at(`settlements/${settlement.id}/chargebacks`),
    invoice: null,
    documentation,
  },
})

export const shownPermission = (id: string, granted: boolean) => ({
  resource: 'permission',
  id,
  description: `View the ${id.split('.')[0]} of the organization`,
  granted,
  _links: { self: at(`permissions/${id}`) },
})

export function shownList(name: string, path: string, all: readonly { id: string }[], query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 50)
  const from = query.get('from')
  const begin = from === null ? 0 : all.findIndex(({ id }) => id === from)
  const items = all.slice(begin, begin + limit)
  const next = all[begin + limit]
  const before = begin > 0 ? all[Math.max(begin - limit, 0)] : undefined
  const linkTo = (first: { id: string } | undefined) => (first ? at(`${path}?from=${first.id}&limit=${limit}`) : null)
  return {
    count: items.length,
    _embedded: { [name]: items },
    _links: { self: at(path), previous: linkTo(before), next: linkTo(next), documentation },
  }
}

export const listed = <Item extends { _links: { documentation: unknown } }>({ _links, ...item }: Item) => {
  const { documentation: _, ...links } = _links
  return { ...item, _links: links }
}

export const shownAll = (name: string, items: readonly object[]) => ({
  count: items.length,
  _embedded: { [name]: items },
  _links: { self: at(name), documentation },
})

export const shownError = (status: number, detail: string, field?: string) => ({
  status,
  title: `Error ${status}`,
  detail,
  ...(field && { field }),
  _links: { documentation },
})
