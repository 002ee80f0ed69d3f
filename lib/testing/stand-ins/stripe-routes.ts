import type Stripe from 'stripe'
import type { Part } from './official.ts'
import { type Answer, newId } from './stand-in.ts'
import { type Given, missing, ok, refused } from './stripe-answers.ts'
import { base, hiddenIn, type Intent, type Method, type StripeBooks } from './stripe-books.ts'
import { cancelRefund, createRefund, refundedOf, refundsOf } from './stripe-refunds.ts'

interface World {
  readonly books: StripeBooks
  readonly url: string
  readonly declines: ReadonlyMap<string, string>
  readonly undecided: string[]
}

export function nested(form: URLSearchParams): Given {
  const all: Given = {}
  for (const [key, value] of form) {
    const path = key.replaceAll(']', '').split('[')
    let at = all
    path.forEach((name, level) => {
      const isLast = level === path.length - 1
      at[name] ??= isLast ? value : /^\d+$/.test(path[level + 1] ?? '') ? [] : {}
      at = at[name]
    })
  }
  return all
}

const described = {
  customers: ['name', 'email', 'metadata'],
  'checkout/sessions': [
    ...[
      'wallet_options',
      'mode',
      'metadata',
      'client_reference_id',
      'locale',
      'allowed_payment_method_types',
      'success_url',
      'cancel_url',
    ],
    ...['customer', 'customer_email', 'line_items', 'payment_intent_data', 'setup_intent_data', 'adaptive_pricing'],
  ],
  payment_intents: [
    ...['amount', 'currency', 'customer', 'payment_method', 'allowed_payment_method_types', 'off_session', 'confirm'],
    ...['description', 'metadata', 'statement_descriptor'],
  ],
  refunds: ['payment_intent', 'amount', 'metadata'],
} as const satisfies {
  readonly customers: readonly (keyof Stripe.CustomerCreateParams)[]
  readonly 'checkout/sessions': readonly (keyof Stripe.Checkout.SessionCreateParams)[]
  readonly payment_intents: readonly (keyof Stripe.PaymentIntentCreateParams)[]
  readonly refunds: readonly (keyof Stripe.RefundCreateParams)[]
}
const known: Readonly<Record<string, readonly string[]>> = described
const cancelable = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture']

export function answerTo(
  world: World,
  { method, path, given }: { readonly method: string; readonly path: string; readonly given: Given },
): Answer {
  const { expand = [], ...body } = given
  const unknown = Object.keys(body).find((name) => method === 'POST' && known[path] && !known[path].includes(name))
  if (unknown)
    return refused(400, `Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
  const answer = route(world, method, path.split('/'), body)
  const isError = answer.status >= 400
  return isError ? answer : { ...answer, body: expanded(world.books, answer.body, expand) }
}

function route(world: World, method: string, path: readonly string[], given: Given): Answer {
  const { books } = world
  const [collection = '', id = '', below = ''] = path[0] === 'checkout' ? path.slice(1) : path
  const isPost = method === 'POST'
  const one = (all: readonly { id: string }[], what: string) => {
    const found = all.find((each) => each.id === id)
    return found ? ok(found) : missing(what)
  }
  switch (`${isPost ? 'POST ' : ''}${collection}`) {
    case 'POST customers': {
      const made = { name: null, email: null, ...base('cus', 'customer'), ...given }
      books.customers.push(made)
      return ok(made)
    }
    case 'customers':
      return method === 'DELETE' ? deleteCustomer(books, id) : one(books.customers, 'customer')
    case 'POST sessions':
      return below === 'expire' ? expire(books, id) : createSession(world, given)
    case 'sessions':
      return one(books.sessions, 'checkout session')
    case 'POST payment_intents':
      return below === 'cancel' ? cancelIntent(books, id, given) : createIntent(world, given)
    case 'payment_intents':
      return id ? one(books.intents, 'payment_intent') : list(intentsOf(books, given), given)
    case 'POST refunds':
      return below === 'cancel' ? cancelRefund(books, id) : createRefund(books, given)
    case 'refunds':
      return id ? one(books.refunds, 'refund') : list(refundsOf(books, given), given)
    case 'POST disputes':
      return below === 'close' ? close(books, id) : submitEvidence(books, id, given)
    case 'POST files':
      return ok({ id: newId('file'), object: 'file', purpose: 'dispute_evidence' })
    case 'disputes': {
      const all = books.disputes
        .filter((each) => !given.payment_intent || each.payment_intent === given.payment_intent)
        .filter((each) => each.created >= Number(given.created?.gte ?? 0))
      return id ? one(books.disputes, 'dispute') : list(all.toReversed(), given)
    }
    case 'payouts':
      return list(books.payouts.toReversed(), given)
    case 'balance_transactions':
      return list(
        books.transactions.filter(({ payout }) => payout === given.payout),
        given,
      )
    case 'mandates':
      return one(books.mandates, 'mandate')
    case 'POST payment_methods':
      return detach(books, id)
    case 'payment_methods':
      return one(books.methods, 'PaymentMethod')
    case 'payment_method_configurations':
      return list([configuration], given)
    default:
      return refused(404, `Unrecognized request URL (${method}: /v1/${path.join('/')})`)
  }
}

function detach(books: StripeBooks, id: string): Answer {
  const found = books.methods.find((each) => each.id === id)
  if (!found?.customer) return refused(400, 'The payment method you provided is not attached to a customer')
  found.customer = null
  return { status: 200, body: found }
}

const on = { available: true, display_preference: { value: 'on' } }
const off = { available: false, display_preference: { value: 'off' } }
const configuration = {
  id: 'pmc_standin',
  object: 'payment_method_configuration',
  active: true,
  is_default: true,
  application: null,
  card: on,
  ideal: on,
  bancontact: on,
  paypal: on,
  sepa_debit: off,
}
const offered = ['card', 'ideal', 'bancontact', 'paypal']

function list(all: readonly { id: string }[], { limit = '10', starting_after: after }: Given): Answer {
  const begin = after ? all.findIndex(({ id }) => id === after) + 1 : 0
  const data = all.slice(begin, begin + Number(limit))
  return ok({ object: 'list', data, has_more: begin + data.length < all.length })
}

const intentsOf = (books: StripeBooks, { customer, created }: Given): Intent[] =>
  books.intents
    .filter((each) => (!customer || each.customer === customer) && each.object === 'payment_intent')
    .filter((each) => each.created >= Number(created?.gte ?? 0))
    .toReversed()

function createSession({ books, url }: World, given: Given): Answer {
  const { mode, success_url, cancel_url = null, customer = null, metadata = {} } = given
  if (!/^https?:\/\//.test(success_url ?? '')) return refused(400, 'Not a valid URL', { param: 'success_url' })
  if (customer && !books.customers.some(({ id }) => id === customer)) return missing('customer', 'customer')
  const price = given.line_items?.[0]?.price_data
  const amount = price ? Number(price.unit_amount) * Number(given.line_items[0].quantity) : null
  if (mode === 'payment' && !(amount && amount >= 50)) return refused(400, 'Too small', { code: 'amount_too_small' })
  const types = offered.filter(
    (type) =>
      (given.allowed_payment_method_types ?? offered).includes(type) &&
      (mode === 'setup' || price.currency === 'eur' || type === 'card' || type === 'paypal'),
  )
  if (types.length === 0) return refused(400, 'No valid payment method types for this Checkout Session')
  const data = given.payment_intent_data ?? given.setup_intent_data ?? {}
  if (types.includes('card') && data.statement_descriptor) return descriptorOfCard
  const made = base('cs_live', 'checkout.session', metadata)
  const intended = {
    metadata: data.metadata ?? {},
    description: data.description ?? '',
    isKept: mode === 'setup' || data.setup_future_usage === 'off_session',
  }
  const session = {
    ...made,
    status: 'open' as const,
    mode,
    url: `${url}/checkout/${made.id}`,
    success_url,
    cancel_url,
    customer,
    intended,
    amount_total: amount,
    currency: price?.currency ?? null,
    wallet_options: given.wallet_options ?? null,
    payment_method_types: types,
    payment_intent: null,
    setup_intent: null,
  }
  books.sessions.push(session)
  return ok(session)
}

function expire(books: StripeBooks, id: string): Answer {
  const session = books.sessions.find((each) => each.id === id)
  if (!session) return missing('checkout session')
  if (session.status !== 'open') return refused(400, 'Only open sessions can be expired')
  Object.assign(session, { status: 'expired', url: null })
  return ok(session)
}

/** Stripe refuses `statement_descriptor` for cards, because a card statement can show only the account's own name. */
const descriptorOfCard = refused(400, 'statement_descriptor is not supported for cards', {
  param: 'statement_descriptor',
})

function createIntent({ books, declines, undecided }: World, given: Given): Answer {
  const { customer, payment_method: methodId, description = '', metadata = {}, currency } = given
  if (!books.customers.some(({ id }) => id === customer)) return missing('customer', 'customer')
  const method = books.methods.find((each) => each.id === methodId && each.customer === customer)
  if (!method) return missing('PaymentMethod', 'payment_method')
  if (method.type === 'card' && given.statement_descriptor) return descriptorOfCard
  if (!(given.allowed_payment_method_types ?? [method.type]).includes(method.type))
    return refused(400, 'The method is not allowed', { param: 'payment_method' })
  const amount = Number(given.amount)
  if (!(amount >= 50)) return refused(400, 'Too small', { code: 'amount_too_small', param: 'amount' })
  const code = declines.get(method.id)
  const isDebit = method.type === 'sepa_debit'
  const made: Intent = {
    ...base('pi', 'payment_intent', metadata),
    cancellation_reason: null,
    amount,
    currency,
    customer,
    description,
    payment_method: method.id,
    payment_method_types: [method.type],
    status: isDebit ? 'processing' : 'succeeded',
    last_payment_error: null,
    latest_charge: null,
  }
  books.intents.push(made)
  const left = undecided.shift()
  if (left) return ok(Object.assign(made, { status: left }))
  const declined = code !== undefined && !isDebit
  if (declined) return decline(made, code)
  made.latest_charge = chargeOf(books, made, { type: method.type, [method.type]: detailsOf(method) })
  return ok(made)
}

function cancelIntent(books: StripeBooks, id: string, { cancellation_reason = null }: Given): Answer {
  const intent = books.intents.find((each) => each.id === id)
  if (!intent) return missing('payment_intent')
  if (!cancelable.includes(intent.status))
    return refused(400, `A PaymentIntent with a status of ${intent.status} cannot be canceled`, {
      code: 'payment_intent_unexpected_state',
    })
  Object.assign(intent, { status: 'canceled', cancellation_reason, canceled_at: Math.floor(Date.now() / 1000) })
  return ok(intent)
}

const detailsOf = (method: Method) => method.card ?? method.sepa_debit ?? method.paypal ?? {}

export function chargeOf(
  books: StripeBooks,
  intent: Intent,
  details: Part<Stripe.Charge.PaymentMethodDetails>,
): string {
  const { id, amount = 0, currency = 'eur', metadata } = intent
  const status = intent.status === 'succeeded' ? ('succeeded' as const) : ('pending' as const)
  const common = { payment_intent: id, amount, currency, status, disputed: false, payment_method_details: details }
  const made = {
    ...base('ch', 'charge', metadata),
    ...common,
    get amount_refunded() {
      return refundedOf(books, id)
    },
  }
  books.charges.push(made)
  return made.id
}

function decline(intent: Intent, code: string): Answer {
  const isError = code === 'expired_card' || code === 'authentication_required'
  const error = {
    type: 'card_error',
    code: isError ? code : 'card_declined',
    message: 'Your card was declined.',
    decline_code: code,
  }
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, last_payment_error: error })
  return { status: 402, body: { error: { ...error, payment_intent: intent } } }
}

function close(books: StripeBooks, id: string): Answer {
  const dispute = books.disputes.find((each) => each.id === id)
  if (!dispute) return missing('dispute')
  if (dispute.status !== 'needs_response') return refused(400, 'This dispute is already closed')
  dispute.status = 'lost'
  return ok(dispute)
}

function submitEvidence(books: StripeBooks, id: string, given: Given): Answer {
  const dispute = books.disputes.find((each) => each.id === id)
  if (!dispute) return missing('dispute')
  if (dispute.status !== 'needs_response') return refused(400, 'This dispute is already closed')
  const { due_by } = dispute.evidence_details
  Object.assign(dispute, {
    evidence: given.evidence ?? {},
    metadata: { ...dispute.metadata, ...given.metadata },
    evidence_details: { ...dispute.evidence_details, due_by, has_evidence: true, submission_count: 1 },
    status: given.submit === 'true' ? 'under_review' : dispute.status,
  })
  return ok(dispute)
}

function deleteCustomer(books: StripeBooks, id: string): Answer {
  const at = books.customers.findIndex((each) => each.id === id)
  if (at < 0) return missing('customer')
  books.customers.splice(at, 1)
  for (const method of books.methods) if (method.customer === id) method.customer = null
  return ok({ id, object: 'customer', deleted: true })
}

const mostLevels = 4

function shown(answer: Given): Given {
  for (const each of answer.object === 'list' ? answer.data : [answer])
    for (const name of hiddenIn[each.object as keyof typeof hiddenIn] ?? []) delete each[name]
  return answer
}

function expanded(books: StripeBooks, answer: unknown, paths: readonly string[]): unknown {
  const whole = shown(structuredClone(answer))
  const { customers, methods, mandates, intents, charges, refunds, disputes } = books
  const all = [customers, methods, mandates, intents, charges, refunds, disputes].flat()
  const step = (at: Given, [name = '', ...rest]: readonly string[]): void => {
    if (at === null || typeof at !== 'object') return
    if (Array.isArray(at)) {
      for (const each of at) step(each, [name, ...rest])
      return
    }
    const value = at[name]
    if (typeof value === 'string') at[name] = structuredClone(all.find(({ id }) => id === value)) ?? value
    if (rest.length > 0) step(at[name], rest)
  }
  for (const path of paths) {
    const names = path.split('.')
    if (names.length > mostLevels) throw new Error(`Stripe expands ${mostLevels} levels at most: ${path}`)
    step(whole, names)
  }
  return whole
}
