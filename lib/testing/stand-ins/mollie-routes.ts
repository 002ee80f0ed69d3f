import { cents, type MollieBooks, type Payment } from './mollie-books.ts'
import { type AccountMethod, type Sequence, shownMethod, usableMethods } from './mollie-methods.ts'
import * as shown from './mollie-shown.ts'
import { type Answer, newId } from './stand-in.ts'

interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: a request may have any body
  readonly body: any
}

interface World {
  readonly books: MollieBooks
  readonly url: string
  readonly methods: readonly AccountMethod[]
  readonly declines: ReadonlyMap<string, string>
  readonly permissions: ReadonlyMap<string, boolean>
}

const ok = (body: unknown, status = 200): Answer => ({ status, body })
const gone: Answer = { status: 204, body: {} }
export const refused = (status: number, detail: string, field?: string): Answer => ({
  status,
  body: shown.shownError(status, detail, field),
})

export const routeOf =
  (world: World) =>
  (asked: Asked): Answer => {
    const { books } = world
    const [collection = '', id = '', below = '', belowId = ''] = asked.path.split('/')
    const of = { ...asked, id, below, belowId }
    if (collection === 'payments') return payments(world, of)
    if (collection === 'customers') return customers(world, of)
    if (collection === 'methods') return methods(world, asked.query)
    if (collection === 'refunds')
      return list('refunds', of, books.refunds.toReversed().map(shown.shownRefund).map(shown.listed))
    if (collection === 'settlements') return settlements(world, of)
    if (collection === 'chargebacks')
      return list('chargebacks', of, books.chargebacks.toReversed().map(shown.shownChargeback).map(shown.listed))
    if (collection === 'permissions') return permissions(world)
    return refused(404, 'No such resource')
  }

type Below = Asked & { readonly id: string; readonly below: string; readonly belowId: string }

const list = (name: string, { path, query }: Asked, items: readonly { id: string }[]): Answer =>
  ok(shown.shownList(name, path, items, query))

function payments(world: World, asked: Below): Answer {
  const { books } = world
  if (asked.id === '') {
    if (asked.method === 'POST') return createPayment(world, asked.body)
    return list('payments', asked, shownPayments(world, books.payments))
  }
  const payment = books.payments.find(({ id }) => id === asked.id)
  if (!payment) return refused(404, 'No payment exists with this id')
  if (asked.below === 'refunds') return refunds(world, payment, asked)
  if (asked.below === 'chargebacks') {
    const all = books.chargebacks.filter(({ paymentId }) => paymentId === payment.id).map(shown.shownChargeback)
    const one = all.find(({ id }) => id === asked.belowId)
    if (asked.belowId === '') return list('chargebacks', asked, all.map(shown.listed))
    return one ? ok(one) : refused(404, 'No chargeback exists with this id')
  }
  if (asked.method === 'DELETE') {
    if (!shown.isCancelable(payment)) return refused(422, 'The payment cannot be canceled')
    payment.status = 'canceled'
  }
  return ok(shown.shownPayment(world, payment))
}

const shownPayments = (world: World, of: readonly Payment[]) =>
  of.toReversed().map((each) => shown.shownPayment(world, each))

function settlements(world: World, asked: Below): Answer {
  const { books } = world
  const { id, below } = asked
  if (id === '') return list('settlements', asked, books.settlements.toReversed().map(shown.shownSettlement))
  const found = books.settlements.find((each) => each.id === id || each.reference === id)
  if (!found) return refused(404, 'No settlement exists with this id')
  if (below === '') return ok(shown.shownSettlement(found))
  const { includes } = found
  const inside = <Item extends { id: string }>(items: readonly Item[], ids: readonly string[]) =>
    items.filter((each) => ids.includes(each.id)).toReversed()
  if (below === 'payments') {
    const paid = inside(books.payments, includes.payments)
    return list(
      below,
      asked,
      paid.map((each) => ({ ...shown.shownPayment(world, each), settlementAmount: each.amount })),
    )
  }
  if (below === 'refunds') {
    const sent = inside(books.refunds, includes.refunds)
    return list(
      below,
      asked,
      sent.map((each) => ({ ...shown.listed(shown.shownRefund(each)), ...shown.settledMoney(each) })),
    )
  }
  if (below === 'chargebacks') {
    const taken = inside(books.chargebacks, includes.chargebacks)
    return list(
      below,
      asked,
      taken.map((each) => ({ ...shown.listed(shown.shownChargeback(each)), ...shown.settledMoney(each) })),
    )
  }
  return below === 'captures' ? list('captures', asked, []) : refused(404, 'No such resource')
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
  const usable = usableMethods(world.methods, { sequence: sequenceType, amount }).map(({ id }) => id)
  if (!isRecurring && method !== null && !usable.includes(method))
    return refused(422, 'The method is not active', 'method')
  const mandate = books.mandates.find((each) => each.id === mandateId && each.customerId === customerId)
  if (isRecurring && (!mandate || mandate.status === 'invalid'))
    return refused(422, 'The mandate is invalid', 'mandateId')
  if (mandate && !usable.includes(mandate.method))
    return refused(422, 'The amount is higher than the maximum', 'amount')
  const payment = paymentOf(world, body)
  books.payments.push(payment)
  return ok(shown.shownPayment(world, payment), 201)
}

const account = { consumerName: 'Stand-in Buyer', consumerAccount: 'NL91ABNA0417164300', consumerBic: null }
const noReason = { bankReasonCode: null, bankReason: null }
const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)

/** A charge on a mandate has its outcome immediately, unless it is a direct debit. */
function paymentOf({ books, declines }: World, body: Asked['body']): Payment {
  const { amount, description, method = null, sequenceType = 'oneoff', customerId = null, mandateId = null } = body
  const isRecurring = sequenceType === 'recurring'
  const mandate = books.mandates.find((each) => each.id === mandateId)
  const reason = declines.get(mandateId)
  const isDebit = mandate?.method === 'directdebit'
  const transfer = method === 'banktransfer' ? transferOf(body) : null
  return {
    id: newId('tr'),
    createdAt: new Date().toISOString(),
    amount,
    description,
    sequenceType,
    customerId,
    mandateId,
    details: {
      ...(isDebit && { ...account, ...noReason, dueDate: dayOf(inDays(1)), transferReference: null }),
      ...(isDebit && reason && { bankReasonCode: reason, bankReason: reason }),
      ...(mandate?.method === 'creditcard' && { cardCountryCode: 'DE', failureReason: reason ?? null }),
      ...transfer?.details,
    },
    method: isRecurring ? (mandate?.method ?? null) : method,
    redirectUrl: body.redirectUrl ?? null,
    webhookUrl: body.webhookUrl ?? null,
    locale: body.locale ?? null,
    metadata: body.metadata ?? null,
    status: !isRecurring ? 'open' : isDebit ? 'pending' : reason ? 'failed' : 'paid',
    ...(transfer && { expiresAt: transfer.expiresAt }),
  }
}

/** Mollie keeps the payment open until the end of its due date. */
function transferOf({ dueDate }: { dueDate?: string }) {
  const day = dueDate ?? dayOf(inDays(12))
  return {
    expiresAt: new Date(new Date(`${day}T00:00:00Z`).getTime() + 86_400_000).toISOString(),
    details: {
      bankName: 'Stichting Mollie Payments',
      bankAccount: 'NL53ABNA0627535577',
      bankBic: 'ABNANL2A',
      transferReference: 'RF12-3456-7890-1234',
      consumerName: null,
      consumerAccount: null,
      consumerBic: null,
    },
  }
}

function refunds({ books }: World, payment: Payment, asked: Below): Answer {
  const { method, body, belowId } = asked
  const all = books.refunds.filter(({ paymentId }) => paymentId === payment.id)
  if (method === 'GET' && belowId === '') return list('refunds', asked, all.map(shown.shownRefund).map(shown.listed))
  const one = all.find(({ id }) => id === belowId)
  if (belowId !== '' && !one) return refused(404, 'No refund exists with this id')
  if (method === 'GET' && one) return ok(shown.shownRefund(one))
  if (method === 'DELETE' && one) return cancelRefund(one)
  const sent = all.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const left = cents(payment.amount) - sent.reduce((sum, { amount }) => sum + cents(amount), 0)
  if (payment.status !== 'paid') return refused(422, 'The payment is not paid')
  if (cents(body.amount) > left) return refused(422, 'The amount is higher than what is left', 'amount')
  const made = {
    id: newId('re'),
    paymentId: payment.id,
    description: body.description ?? '',
    amount: body.amount,
    metadata: body.metadata ?? null,
    createdAt: new Date().toISOString(),
    status: 'pending' as const,
  }
  books.refunds.push(made)
  return ok(shown.shownRefund(made), 201)
}

function cancelRefund(refund: MollieBooks['refunds'][number]): Answer {
  if (refund.status !== 'queued' && refund.status !== 'pending') return refused(422, 'The refund cannot be canceled')
  refund.status = 'canceled'
  return gone
}

function customers(world: World, asked: Below): Answer {
  const { books } = world
  if (asked.id === '') {
    const { name = null, email = null, locale = null, metadata = null } = asked.body
    const made = { id: newId('cst'), name, email, locale, metadata, createdAt: new Date().toISOString() }
    books.customers.push(made)
    return ok(shown.shownCustomer(made), 201)
  }
  if (!books.customers.some(({ id }) => id === asked.id)) return refused(404, 'No customer exists with this id')
  if (asked.below === 'payments') {
    const all = books.payments.filter(({ customerId }) => customerId === asked.id)
    return list('payments', asked, shownPayments(world, all))
  }
  const mandates = books.mandates.filter(({ customerId }) => customerId === asked.id)
  if (asked.below === '' && asked.method === 'DELETE') {
    books.customers.splice(
      books.customers.findIndex(({ id }) => id === asked.id),
      1,
    )
    for (const mandate of mandates) mandate.status = 'invalid'
    return gone
  }
  if (asked.below === 'mandates' && asked.belowId === '')
    return list('mandates', asked, mandates.map(shown.shownMandate))
  const mandate = mandates.find(({ id }) => id === asked.belowId)
  if (asked.below !== 'mandates' || !mandate) return refused(404, 'No such resource')
  if (asked.method !== 'DELETE') return ok(shown.shownMandate(mandate))
  mandate.status = 'invalid'
  return gone
}

function methods(world: World, query: URLSearchParams): Answer {
  const value = query.get('amount[value]')
  const amount = value === null ? null : { value, currency: query.get('amount[currency]') ?? 'EUR' }
  const sequence = (query.get('sequenceType') ?? 'oneoff') as Sequence
  return ok(shown.shownAll('methods', usableMethods(world.methods, { sequence, amount }).map(shownMethod)))
}

const permissions = ({ permissions }: World): Answer =>
  ok(
    shown.shownAll(
      'permissions',
      [...permissions].map(([id, granted]) => shown.shownPermission(id, granted)),
    ),
  )
