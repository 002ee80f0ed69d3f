import type { Duration } from '../kernel/calendar.ts'
import type { FailureReason } from '../modules/payments/rules/failure.ts'
import { db } from '../platform/db/db.ts'
import type { TaskRunner } from '../platform/jobs/task-runner.ts'
import { submitBillingUpdate } from '../workflows/billing-update/hosted.ts'
import { providerLedger } from '../workflows/reconciliation/provider-ledger.ts'
import { declineMandate } from '../workflows/test-helpers/mandates.ts'
import { advanceByDuration } from '../workflows/test-helpers/operations.ts'
import { chooseOutcome } from '../workflows/test-payment-page/hosted.ts'
import { send } from './api.ts'
import { leasesEnd } from './crash.ts'
import { tokenOf } from './shop.ts'
import { type Life, ordersOf, pass } from './subscription-scenario.ts'

/** What happens to a subscription beside the plain renewals. */

const broken: TaskRunner = { leaseMs: 90_000, run: () => Promise.reject(new Error('nobody is there')) }

/** The storefront's clock moves, and what falls due by then is left undone, and due. */
export async function timePasses({ shop }: Pick<Life, 'shop'>, by: Duration): Promise<void> {
  await advanceByDuration(shop.scope, { by }, broken)
  await leasesEnd()
}

/** The bank declines from now on, and the next renewal is owed: its recovery is open. */
export async function owe(life: Life, reason: FailureReason): Promise<Life> {
  await declineMandate(life.id, reason)
  await pass(life, 'P1M1D')
  return life
}

/** A link to the page of the billing details, as the merchant asks for it: its token. */
export async function billingToken({ key, id }: Life): Promise<string> {
  const redirects = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }
  const reply = await send(`POST /v1/subscriptions/${id}/billing-update-link`, { key, body: redirects })
  return tokenOf(reply.body.href)
}

/** The buyer of `aLife` keeps the details and chooses another payment method. Answers where that leads: to the provider's page. */
export const submitMethod = (token: string, paymentMethod: string, version = '0') =>
  submitBillingUpdate(
    token,
    new URLSearchParams({ country: 'DE', fullName: 'Ada', taxId: 'DE1', paymentMethod, version }),
    {
      acceptLanguage: 'de',
    },
  )

/** The same, and what the buyer does on the provider's page. */
export async function chooseMethod(token: string, paymentMethod: string, version = '0') {
  return onProvidersPage(await submitMethod(token, paymentMethod, version))
}

/** The buyer is led to the provider's page and chooses an outcome there; answers where that leads. Elsewhere nothing is chosen. */
export async function onProvidersPage(next: { redirectTo: string } | null, outcome: Record<string, string> = {}) {
  if (!next?.redirectTo.startsWith('/pay/')) return next
  return chooseOutcome(tokenOf(next.redirectTo), new URLSearchParams({ outcome: 'paid', mandate: 'valid', ...outcome }))
}

/** The orders over something, the oldest first: each with what became of every attempt that the provider has in its books. */
export async function booksOf(life: Life): Promise<{ status: string; attempts: string[] }[]> {
  const orders: { id: string; status: string; total: { value: string } }[] = await ordersOf(life)
  const owed = orders.filter(({ total }) => total.value !== '0.00')
  return Promise.all(
    owed.map(async ({ id, status }) => ({ status, attempts: (await providerLedger(id)).map((entry) => entry.status) })),
  )
}

/** What the test helpers do a few real seconds later is due now. */
export const helpersAreDue = () =>
  db().$executeRaw`UPDATE tasks SET run_at = clock_timestamp() WHERE name LIKE 'testmode.%' AND leased_until IS NULL`
