import { cents, type MollieBooks, methodsFor, type Payment } from './mollie-books.ts'
import { type Answer, newId } from './stand-in.ts'

/** The routes of Mollie's API v2 that a merchant of record needs, over the stand-in's books. */

interface Asked {
  readonly method: string
  /** Below `/v2/`. */
  readonly path: string
  readonly query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: a request may have any body
  readonly body: any
}

interface World {
  readonly books: MollieBooks
  readonly url: string
  /** The reasons for which charges on a mandate fail. */
  readonly declines: ReadonlyMap<string, string>
}

const ok = (body: unknown, status = 200): Answer => ({ status, body })
export const refused = (status: number, detail: string, field?: string): Answer => ({
  status,
  body: { status, title: `Error ${status}`, detail, ...(field && { field }) },
})

export const routeOf =
  (world: World) =>
  (asked: Asked): Answer => {
    const [collection = '', id = '', below = '', belowId = ''] = asked.path.split('/')
    const of = { ...asked, id, below, belowId }
    if (collection === 'payments') return payments(world, of)
    if (collection === 'customers') return customers(world, of)
    if (collection === 'methods') return methods(asked.query)
    if (collection === 'refunds') return list('refunds', world.books.refunds.toReversed(), asked.query)
    if (collection === 'settlements') return settlements(world, of)
    if (collection === 'chargebacks') return list('chargebacks', world.books.chargebacks.toReversed(), asked.query)
    return refused(404, 'No such resource')
  }

type Below = Asked & { readonly id: string; readonly below: string; readonly belowId: string }

function payments(world: World, asked: Below): Answer {
  const { books } = world
  if (asked.id === '')
    return asked.method === 'POST' ? createPayment(world, asked.body) : listPayments(world, asked.query)
  const payment = books.payments.find(({ id }) => id === asked.id)
  if (!payment) return refused(404, 'No payment exists with this id')
  if (asked.below === 'refunds') return refunds(world, payment, asked)
  if (asked.below === 'chargebacks') {
    const all = books.chargebacks.filter(({ paymentId }) => paymentId === payment.id)
    const one = all.find(({ id }) => id === asked.belowId)
    if (asked.belowId === '') return list('chargebacks', all, asked.query)
    return one ? ok(one) : refused(404, 'No chargeback exists with this id')
  }
  if (asked.method === 'DELETE') {
    const isCancelable = payment.status === 'open' && payment.method !== 'ideal'
    if (!isCancelable) return refused(422, 'The payment cannot be canceled')
    payment.status = 'canceled'
  }
  return ok(shown(world, payment))
}

/** A settlement by its id or its bank reference, and what is in it. */
function settlements(world: World, { id, below, query }: Below): Answer {
  const { books } = world
  const shownOf = ({ includes: _, ...settlement }: MollieBooks['settlements'][number]) => ({
    resource: 'settlement',
    ...settlement,
    _links: {},
  })
  if (id === '') return list('settlements', books.settlements.toReversed().map(shownOf), query)
  const found = books.settlements.find((each) => each.id === id || each.reference === id)
  if (!found) return refused(404, 'No settlement exists with this id')
  if (below === '') return ok(shownOf(found))
  const { includes } = found
  if (below === 'payments') {
    const inside = books.payments.filter((each) => includes.payments.includes(each.id)).toReversed()
    return list(
      'payments',
      inside.map((each) => shown(world, each)),
      query,
    )
  }
  if (below === 'refunds' || below === 'chargebacks')
    return list(below, books[below].filter((each) => includes[below].includes(each.id)).toReversed(), query)
  return below === 'captures' ? list('captures', [], query) : refused(404, 'No such resource')
}

function listPayments(world: World, query: URLSearchParams): Answer {
  const all = world.books.payments.toReversed().map((each) => shown(world, each))
  return list('payments', all, query)
}

function createPayment(world: World, body: Asked['body']): Answer {
  const { books } = world
  const { amount, description, method = null, sequenceType = 'oneoff', customerId = null, mandateId = null } = body
  if (!/^\d{1,10}\.\d{2}$/.test(amount?.value ?? '')) return refused(422, 'The amount is invalid', 'amount')
  if (!description) return refused(422, 'The description is missing', 'description')
  const isRecurring = sequenceType === 'recurring'
  if (!isRecurring && !body.redirectUrl) return refused(422, 'The redirect URL is missing', 'redirectUrl')
  if (sequenceType !== 'oneoff' && !books.customers.some(({ id }) => id === customerId))
    return refused(422, 'The customer is invalid', 'customerId')
  const usable = methodsFor({ amount, isFirst: sequenceType === 'first' })
  if (!isRecurring && method !== null && !usable.includes(method))
    return refused(422, 'The method is not active', 'method')
  const mandate = books.mandates.find((each) => each.id === mandateId && each.customerId === customerId)
  if (isRecurring && (!mandate || mandate.status === 'invalid'))
    return refused(422, 'The mandate is invalid', 'mandateId')
  const reason = world.declines.get(mandateId)
  const isDebit = mandate?.method === 'directdebit'
  const details = {
    ...(reason && (isDebit ? { bankReasonCode: reason } : { failureReason: reason })),
    ...(mandate?.method === 'creditcard' && { cardCountryCode: 'DE' }),
    ...(isDebit && { consumerAccount: 'NL91ABNA0417164300' }),
  }
  const payment: Payment = {
    id: newId('tr'),
    createdAt: new Date().toISOString(),
    amount,
    description,
    sequenceType,
    customerId,
    mandateId,
    details,
    method: isRecurring ? (mandate?.method ?? null) : method,
    redirectUrl: body.redirectUrl ?? null,
    webhookUrl: body.webhookUrl ?? null,
    metadata: body.metadata ?? null,
    status: !isRecurring ? 'open' : isDebit ? 'pending' : reason ? 'failed' : 'paid',
  }
  books.payments.push(payment)
  return ok(shown(world, payment), 201)
}

function refunds({ books }: World, payment: Payment, { method, body, belowId, query }: Below): Answer {
  const all = books.refunds.filter(({ paymentId }) => paymentId === payment.id)
  if (method === 'GET' && belowId === '') return list('refunds', all, query)
  const one = all.find(({ id }) => id === belowId)
  if (belowId !== '' && !one) return refused(404, 'No refund exists with this id')
  if (method === 'GET') return ok(one)
  if (method === 'DELETE' && one) return cancelRefund(one)
  const gone = all.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const left = cents(payment.amount) - gone.reduce((sum, { amount }) => sum + cents(amount), 0)
  if (payment.status !== 'paid') return refused(422, 'The payment is not paid')
  if (cents(body.amount) > left) return refused(422, 'The amount is higher than what is left', 'amount')
  const made = {
    id: newId('re'),
    paymentId: payment.id,
    amount: body.amount,
    metadata: body.metadata ?? null,
    createdAt: new Date().toISOString(),
    status: 'pending' as const,
  }
  books.refunds.push(made)
  return ok(made, 201)
}

function cancelRefund(refund: MollieBooks['refunds'][number]): Answer {
  if (refund.status !== 'queued' && refund.status !== 'pending') return refused(422, 'The refund cannot be canceled')
  refund.status = 'canceled'
  return { status: 204, body: {} }
}

function customers({ books, ...world }: World, asked: Below): Answer {
  if (asked.id === '') {
    const { name = null, email = null } = asked.body
    const made = { id: newId('cst'), name, email, createdAt: new Date().toISOString() }
    books.customers.push(made)
    return ok(made, 201)
  }
  if (!books.customers.some(({ id }) => id === asked.id)) return refused(404, 'No customer exists with this id')
  if (asked.below === 'payments') {
    const all = books.payments.filter(({ customerId }) => customerId === asked.id).toReversed()
    return list(
      'payments',
      all.map((each) => shown({ books, ...world }, each)),
      asked.query,
    )
  }
  const mandates = books.mandates.filter(({ customerId }) => customerId === asked.id)
  if (asked.below === '' && asked.method === 'DELETE') {
    books.customers.splice(
      books.customers.findIndex(({ id }) => id === asked.id),
      1,
    )
    for (const mandate of mandates) mandate.status = 'invalid'
    return { status: 204, body: {} }
  }
  if (asked.below === 'mandates' && asked.belowId === '') return list('mandates', mandates, asked.query)
  const mandate = mandates.find(({ id }) => id === asked.belowId)
  if (asked.below !== 'mandates' || !mandate) return refused(404, 'No such resource')
  if (asked.method !== 'DELETE') return ok(mandate)
  mandate.status = 'invalid'
  return { status: 204, body: {} }
}

function methods(query: URLSearchParams): Answer {
  const amount = { value: query.get('amount[value]') ?? '1.00', currency: query.get('amount[currency]') ?? 'EUR' }
  const usable = methodsFor({ amount, isFirst: query.get('sequenceType') === 'first' })
  return list(
    'methods',
    usable.map((id) => ({ id, status: 'activated' })),
    new URLSearchParams(),
  )
}

function list(name: string, all: readonly { id: string }[], query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? 50)
  const from = query.get('from')
  const begin = from === null ? 0 : all.findIndex(({ id }) => id === from)
  const items = all.slice(begin, begin + limit)
  const next = all[begin + limit]
  const href = next && `https://api.mollie.com/v2/${name}?from=${next.id}&limit=${limit}`
  return ok({ count: items.length, _embedded: { [name]: items }, _links: { next: href ? { href } : null } })
}

function shown({ books, url }: World, payment: Payment) {
  const taken = books.chargebacks.filter(({ paymentId, reversedAt }) => paymentId === payment.id && !reversedAt)
  const value = (taken.reduce((sum, { amount }) => sum + cents(amount), 0) / 100).toFixed(2)
  return {
    resource: 'payment',
    mode: 'live',
    ...payment,
    ...(taken.length > 0 && { amountChargedBack: { currency: payment.amount.currency, value } }),
    _links: {
      ...(books.chargebacks.some(({ paymentId }) => paymentId === payment.id) && {
        chargebacks: { href: `https://api.mollie.com/v2/payments/${payment.id}/chargebacks` },
      }),
      ...(payment.status === 'open' && { checkout: { href: `${url}/checkout/${payment.id}`, type: 'text/html' } }),
    },
  }
}
