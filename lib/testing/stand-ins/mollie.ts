import {
  emptyBooks,
  type MollieBooks,
  mandateMadeBy,
  type Payment,
  type Settlement,
  type Status,
} from './mollie-books.ts'
import { violationsOf } from './mollie-description.ts'
import { type AccountMethod, usualMethods } from './mollie-methods.ts'
import { refused, routeOf } from './mollie-routes.ts'
import { settle } from './mollie-settlements.ts'
import { MistakeInRequest, objectIn } from './requests.ts'
import { type Answer, type Asked, type Behavior, newId, type Options, paymentPage, StandIn } from './stand-in.ts'

const standInKey = 'live_standinstandinstandinstandin'
const standInToken = 'access_standinstandinstandinstandin'

export async function startMollie({ port = 0, ...options }: Options = {}): Promise<MollieStandIn> {
  const standIn = new MollieStandIn(options)
  await standIn.listen(port)
  return standIn
}

const choices = ['paid', 'pending', 'failed', 'canceled', 'expired'] as const

export class MollieStandIn extends StandIn<MollieBooks> {
  readonly accessToken = standInToken
  readonly violations: string[] = []
  methods: readonly AccountMethod[] = usualMethods
  leavesMandatesPending = false
  /** The permissions of the access token. Tests can remove and restore them. */
  readonly permissions = new Map(
    ['settlements.read', 'payments.read', 'refunds.read', 'mandates.read'].map((each) => [each, true]),
  )
  private isTokenRefused = false
  private readonly declines = new Map<string, string>()

  constructor({ file = null, apiKey = standInKey }: Omit<Options, 'port'>) {
    super(emptyBooks(), apiKey, file)
  }

  protected readonly behavior: Behavior = {
    keyFor: (pathname) => (/^\/v2\/(?:settlements|permissions)\b/.test(pathname) ? this.tokenNow() : this.apiKey),
    keptMs: 3_600_000,
    identityOf: ({ method, pathname, body }) => `${method} ${pathname} ${body}`,
    refused,
    usedKey: refused(422, 'The key was used for another request'),
    route: (asked) => {
      const answer = this.answerTo(asked)
      this.violations.push(...violationsOf(asked, answer))
      return answer
    },
    page: (pathname, decided) => {
      const payment = this.books.payments.find(({ id }) => pathname === `/checkout/${id}`)
      if (!payment) return null
      const { id, description, amount, status } = payment
      const what = `${description}: ${amount.value} ${amount.currency} (${id}, ${status})`
      if (decided === null) return { html: paymentPage('Mollie', what, choices) }
      if (status === 'open') this.decide(id, decided as Status)
      return { location: payment.redirectUrl ?? '/' }
    },
    control: (name, id, given) => {
      const controls: Record<string, () => unknown> = {
        payments: () => this.decide(id, given.status, given.details),
        mandates: () => this.settleMandates(),
        chargebacks: () => this.dispute(id, given.reason ?? null),
        reversals: () => this.reverse(id),
        declines: () => this.decline(id, given.reason ?? null),
        settlements: () => this.settle(),
      }
      const control = controls[name]
      return control ? control() : null
    },
  }

  decline(mandateId: string, reason: string | null): void {
    if (reason === null) this.declines.delete(mandateId)
    else this.declines.set(mandateId, reason)
  }

  private answerTo({ pathname, body, method, query }: Asked): Answer {
    const { books, url, declines, methods } = this
    if (this.isForbidden(pathname)) return refused(403, 'The access token lacks a permission')
    const asked = { method, query, path: pathname.replace(/^\/v2\//, ''), body: objectIn(body) }
    return routeOf({ books, url, declines, methods, permissions: this.permissions })(asked)
  }

  /** Reading the payments or refunds of a settlement needs the permissions for settlements and for this kind of object. */
  private isForbidden(pathname: string): boolean {
    if (!pathname.startsWith('/v2/settlements')) return false
    const below = pathname.split('/')[4]
    const needed = below === 'payments' || below === 'refunds' ? ['settlements', below] : ['settlements']
    return needed.some((each) => !this.permissions.get(`${each}.read`))
  }

  /** Throws if a request of the adapter or a response of this simulated server differs from Mollie's description. */
  override async close(): Promise<void> {
    await super.close()
    if (this.violations.length > 0)
      throw new Error(`against Mollie’s description:\n${[...new Set(this.violations)].join('\n')}`)
  }

  settleMandates(): void {
    for (const mandate of this.books.mandates) if (mandate.status === 'pending') mandate.status = 'valid'
    this.save()
  }

  decide(id: string, status: Status, details: Record<string, unknown> = {}, method?: string): void {
    const payment = this.payment(id)
    payment.status = status
    if (method !== undefined) payment.method = method
    payment.details = { ...payment.details, ...details }
    if (status === 'paid' && payment.sequenceType === 'first' && !payment.mandateId) {
      const mandate = mandateMadeBy(payment, this.leavesMandatesPending ? 'pending' : 'valid')
      if (mandate) this.books.mandates.push(mandate)
      payment.mandateId = mandate?.id ?? null
    }
    this.save()
    this.notify(payment)
  }

  dispute(id: string, reason: { code: string; description: string } | null = null): string {
    const payment = this.payment(id)
    const at = { createdAt: new Date().toISOString(), reversedAt: null }
    const made = { id: newId('chb'), paymentId: id, amount: payment.amount, reason, ...at }
    this.books.chargebacks.push(made)
    this.save()
    this.notify(payment)
    return made.id
  }

  reverse(id: string): void {
    const chargeback = this.books.chargebacks.find((each) => each.id === id)
    if (!chargeback) throw new MistakeInRequest(`the stand-in has no chargeback ${id}`)
    chargeback.reversedAt = new Date().toISOString()
    this.save()
    this.notify(this.payment(chargeback.paymentId))
  }

  refuseToken(isRefused: boolean): void {
    this.isTokenRefused = isRefused
  }

  settle(): Settlement {
    const made = settle(this.books)
    this.save()
    return made
  }

  private tokenNow = (): string => (this.isTokenRefused ? 'revoked' : this.accessToken)

  private payment(id: string): Payment {
    const payment = this.books.payments.find((each) => each.id === id)
    if (!payment) throw new MistakeInRequest(`the stand-in has no payment ${id}`)
    return payment
  }

  private notify({ id, webhookUrl }: Payment): void {
    if (webhookUrl === null) return
    // A failed notice is not repeated, because the service also polls the payment.
    void fetch(webhookUrl, { method: 'POST', body: new URLSearchParams({ id }) }).catch(() => undefined)
  }
}
