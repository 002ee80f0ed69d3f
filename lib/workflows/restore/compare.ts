import { isCurrency } from '../../kernel/currencies.ts'
import { parseMoment } from '../../kernel/moment.ts'
import { type Money, parseMoney } from '../../kernel/money.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { holdsOf } from '../../modules/accounts/store.ts'
import { paymentsToCompare } from '../../modules/payments/compare-store.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { Booked } from '../../modules/payments/provider-data.ts'
import type { UnknownPayment } from '../../modules/unknown-payments/rules/choose.ts'
import { record, unknownPayments } from '../../modules/unknown-payments/store.ts'
import { providersOfRenewals } from '../../modules/unknown-payments/users.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { connectedProviders } from '../../providers/index.ts'
import { comingChargesFor } from './coming-charges.ts'
import { type ShownUnknownPayment, shown } from './shown.ts'

type Found = Omit<UnknownPayment, 'usedBy' | 'releasedAt'> & {
  readonly hasStorefront: boolean
}

/**
 * The comparison starts this number of milliseconds before the backup. The margin covers the duration of a request, and
 * differences between the clocks of the provider and of the database server.
 */
const marginMs = 3_600_000

/**
 * Finds and records the live payments that were made since the backup and that the restored database lacks. `typed` is
 * the time of the backup (ISO 8601). Skips storefronts on hold. Lists payments of unknown storefronts without recording
 * them. A repeated call updates the list. If a provider does not respond, compares the other accounts, and then throws.
 * Refuses with `validation_failed` on `since` if the time is invalid. Refuses with `illegal_move` if no live provider
 * is connected, or if a provider that charges subscriptions is not connected.
 */
export async function compareAfterRestore(typed: string): Promise<ShownUnknownPayment[]> {
  const since = parseMoment(typed)
  if (!since || since > realNow())
    throw invalid('since', 'Must be the time of the backup, such as 2026-12-01T03:00:00Z, and not in the future.')
  const providers = await connectedProviders()
  await requireConnected(providers)
  const found = new Map<string, Found>()
  const failed: unknown[] = []
  for (const provider of providers) {
    try {
      // Two provider names can name the same account, so a payment can be found twice.
      for await (const each of unknownAt(provider, new Date(since.getTime() - marginMs)))
        if (!found.has(each.ref)) found.set(each.ref, each)
    } catch (error) {
      failed.push(error)
    }
  }
  const result = await recordAll([...found.values()])
  if (failed.length > 0) throw failed[0]
  return result
}

/**
 * Refuses with `illegal_move` if no live provider is connected, or if a provider that charges subscriptions is not
 * connected. Otherwise, an installation without the API keys of its providers would report that no payment is missing.
 */
async function requireConnected(providers: readonly PaymentProvider[]): Promise<void> {
  const connected = new Set(providers.map(({ name }) => name))
  const missing = (await providersOfRenewals(db())).filter((name) => !connected.has(name))
  if (connected.size > 0 && missing.length === 0) return
  const names =
    missing.length > 0
      ? `These payment providers are not connected: ${missing.join(', ')}`
      : 'No live payment provider is connected'
  throw new Refusal(
    'illegal_move',
    {},
    { message: `${names}. Nothing was compared. Set the keys of the providers as before the restore.` },
  )
}

async function recordAll(found: readonly Found[]): Promise<ShownUnknownPayment[]> {
  const coming = await comingChargesFor(found)
  const named = found.map((each) => ({ ...each, provider: coming.get(each.ref)?.provider ?? each.provider }))
  for (const each of named) if (each.hasStorefront) await record(db(), each, realNow())
  const rows = new Map((await unknownPayments(db())).map((row) => [`${row.provider} ${row.ref}`, row]))
  return named.map(({ hasStorefront, ...each }) =>
    shown(rows.get(`${each.provider} ${each.ref}`) ?? { ...each, usedBy: null, releasedAt: null }, {
      hasStorefront,
      charges: coming.get(each.ref)?.charges ?? [],
    }),
  )
}

async function* unknownAt(provider: PaymentProvider, since: Date): AsyncGenerator<Found> {
  for await (const { payments } of provider.booked?.(since) ?? []) {
    const taken = payments.flatMap((each) => foundIn(provider.name, each) ?? [])
    const ours = await paymentsToCompare(
      db(),
      taken.map(({ paymentId }) => paymentId),
    )
    // A payment counts as unknown if its row in the database has no provider reference. Otherwise, Billhook could
    // request the same payment a second time.
    const known = new Set(ours.flatMap(({ id, status, ref }) => (status === 'created' && ref === null ? [] : id)))
    const holds = await holdsOf(
      db(),
      taken.map(({ storefrontId }) => storefrontId),
    )
    for (const each of taken) {
      const isHeld = holds.get(each.storefrontId)
      if (!known.has(each.paymentId) && !isHeld) yield { ...each, hasStorefront: isHeld === false }
    }
  }
}

/**
 * Returns the payment to record. Returns null if Billhook did not make the payment, if the payment is neither paid nor
 * pending, or if its amount is 0.
 */
function foundIn(
  provider: string,
  { ref, paymentId, storefrontId, amount: text, isPaid, made }: Booked['payments'][number],
): Omit<Found, 'hasStorefront'> | null {
  if (!paymentId || !storefrontId || !made || !(isPaid || made.isPending)) return null
  const amount = amountIn(text)
  if (amount.minor === 0n) return null
  const { mandateRef, orderId, createdAt, moneyReturned } = made
  const status = isPaid ? 'paid' : 'pending'
  return { provider, ref, storefrontId, paymentId, mandateRef, orderId, amount, status, createdAt, moneyReturned }
}

function amountIn(text: string): Money {
  const [value = '', currency = ''] = text.split(' ')
  const amount = isCurrency(currency) ? parseMoney(value, currency) : null
  if (!amount) throw new Error(`the provider reports the amount ${text}`)
  return amount
}
