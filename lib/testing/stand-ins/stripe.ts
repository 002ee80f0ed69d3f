import { MistakeInRequest } from './requests.ts'
import { type Answer, type Behavior, type Options, paymentPage, StandIn } from './stand-in.ts'
import { refused } from './stripe-answers.ts'
import { base, emptyBooks, type Intent, type Payout, pay, type Session, type StripeBooks } from './stripe-books.ts'
import { settle } from './stripe-payouts.ts'
import { answerTo, chargeOf, nested } from './stripe-routes.ts'

const standInKey = 'sk_live_standinstandinstandinstandin'

export async function startStripe({ port = 0, ...options }: Options = {}): Promise<StripeStandIn> {
  const standIn = new StripeStandIn(options)
  await standIn.listen(port)
  return standIn
}

type Decision = 'paid' | 'pending' | 'declined' | 'canceled' | 'expired'
const outcomes: readonly Decision[] = ['paid', 'pending', 'declined', 'canceled', 'expired']

/**
 * A local server that simulates Stripe's API and its payment page. It sends no events, so the service finds changes by
 * polling.
 */
export class StripeStandIn extends StandIn<StripeBooks> {
  private readonly declines = new Map<string, string>()
  /**
   * The statuses that the next intents keep after their confirmation, as if Stripe were still processing the
   * confirmation.
   */
  private readonly undecided: string[] = []
  private readonly problems = new Map<string, { readonly status: number; readonly error: object }>()
  private arePayoutsRefused = false

  constructor({ file = null, apiKey = standInKey }: Omit<Options, 'port'>) {
    super(emptyBooks(), apiKey, file)
  }

  protected readonly behavior: Behavior = {
    keptMs: 24 * 3_600_000,
    keepsFailures: true,
    identityOf: ({ method, pathname, body }) => `${method} ${pathname} ${body}`,
    refused,
    usedKey: refused(400, 'The key was used for another request', { type: 'idempotency_error' }),
    route: ({ method, pathname, query, body }) => {
      if (this.arePayoutsRefused && /^\/v1\/(?:payouts|balance_transactions)\b/.test(pathname))
        return refused(403, 'The key lacks a permission')
      const given = nested(method === 'POST' ? new URLSearchParams(body) : query)
      const problem = method === 'POST' ? this.problemOf(pathname) : null
      if (problem) return problem
      const world = { books: this.books, url: this.url, declines: this.declines, undecided: this.undecided }
      return answerTo(world, { method, path: pathname.replace(/^\/v1\//, ''), given })
    },
    page: (pathname, decided) => {
      const session = this.books.sessions.find(({ id }) => pathname === `/checkout/${id}`)
      if (!session) return null
      const { id, status, intended, amount_total, currency } = session
      const what = `${intended.description}: ${(amount_total ?? 0) / 100} ${currency ?? ''} (${id}, ${status})`
      if (decided === null) return { html: paymentPage('Stripe', what, outcomes) }
      if (session.status === 'open') this.finish(id, decided as Decision)
      const isDone = decided !== 'canceled' && decided !== 'declined'
      return { location: isDone ? session.success_url : (session.cancel_url ?? session.success_url) }
    },
    control: (name, id, given) => {
      const controls: Record<string, () => unknown> = {
        sessions: () => this.finish(id, given.status),
        intents: () => this.settle(id, given.error ?? null),
        disputes: () => this.dispute(id, given),
        declines: () => this.decline(id, given.code ?? null),
        payouts: () => this.payOut(),
      }
      const control = controls[name]
      return control ? control() : null
    },
  }

  decline(methodId: string, code: string | null): void {
    if (code === null) this.declines.delete(methodId)
    else this.declines.set(methodId, code)
  }

  /** Completes a session as a buyer. A buyer who is declined or goes back can retry while the session is open. */
  finish(sessionId: string, outcome: Decision): void {
    const session = this.books.sessions.find(({ id }) => id === sessionId)
    if (!session) throw new MistakeInRequest(`the stand-in has no session ${sessionId}`)
    if (outcome === 'expired') Object.assign(session, { status: 'expired', url: null })
    if (outcome === 'paid' || outcome === 'pending') this.complete(session, outcome === 'paid')
    this.save()
  }

  private complete(session: Session, isPaid: boolean): void {
    const { customer, currency, amount_total, payment_method_types: types, intended, mode } = session
    const { isKept, metadata, description } = intended
    const { method, details, mandate } = pay(this.books, types[0] ?? 'card', isKept ? customer : null)
    const isPayment = mode === 'payment'
    const intent: Intent = {
      ...base(isPayment ? 'pi' : 'seti', isPayment ? 'payment_intent' : 'setup_intent', metadata),
      cancellation_reason: null,
      customer,
      description,
      payment_method: method.id,
      payment_method_types: types,
      status: isPaid ? 'succeeded' : 'processing',
      ...(isPayment && { amount: amount_total ?? 0, currency: currency ?? 'eur', last_payment_error: null }),
    }
    const chargeId = chargeOf(this.books, intent, details)
    Object.assign(intent, isPayment ? { latest_charge: chargeId } : { latest_attempt: chargeId, mandate: mandate?.id })
    this.books.intents.push(intent)
    Object.assign(session, {
      status: 'complete',
      url: null,
      [isPayment ? 'payment_intent' : 'setup_intent']: intent.id,
    })
  }

  leaveUndecided(status: 'requires_confirmation' | 'requires_payment_method' | 'processing'): void {
    this.undecided.push(status)
  }

  refuse(path: string, error: { status?: number; code?: string; message?: string } | null): void {
    if (error === null) this.problems.delete(path)
    else this.problems.set(path, { status: error.status ?? 400, error })
  }

  private problemOf(pathname: string): Answer | null {
    for (const [path, { status, error }] of this.problems)
      if (pathname.startsWith(path)) return refused(status, 'The account has a problem', error)
    return null
  }

  settle(intentId: string, code: string | null): void {
    const intent = this.intent(intentId)
    if (code === null && !intent.latest_charge) intent.latest_charge = chargeOf(this.books, intent, { type: 'card' })
    intent.status = code === null ? 'succeeded' : 'requires_payment_method'
    const charge = this.books.charges.find(({ id }) => id === intent.latest_charge)
    if (charge) charge.status = code === null ? 'succeeded' : 'failed'
    if (code !== null) intent.last_payment_error = { type: 'invalid_request_error', code, message: 'The debit failed.' }
    this.save()
  }

  dispute(
    intentId: string,
    { reason = 'fraudulent', status = 'needs_response', amount }: { reason?: string; status?: string; amount?: number },
  ): string {
    const intent = this.intent(intentId)
    const charge = this.books.charges.find(({ id }) => id === intent.latest_charge)
    if (charge) charge.disputed = true
    const disputed = { amount: amount ?? intent.amount ?? 0, currency: intent.currency ?? 'eur' }
    const made = {
      ...base('du', 'dispute'),
      payment_intent: intentId,
      ...disputed,
      reason,
      status,
      evidence: {},
      evidence_details: noEvidence(),
    }
    this.books.disputes.push(made)
    this.save()
    return made.id
  }

  refusePayouts(isRefused: boolean): void {
    this.arePayoutsRefused = isRefused
  }

  payOut(): Payout {
    const made = settle(this.books)
    this.save()
    return made
  }

  private intent(id: string): Intent {
    const intent = this.books.intents.find((each) => each.id === id)
    if (!intent) throw new MistakeInRequest(`the stand-in has no intent ${id}`)
    return intent
  }
}

const noEvidence = () => ({
  due_by: Math.floor(Date.now() / 1000) + 14 * 86_400,
  has_evidence: false,
  past_due: false,
  submission_count: 0,
  submission_method: 'not_submitted' as const,
  enhanced_eligibility: {},
})
