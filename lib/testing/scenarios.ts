import type { Duration } from '../kernel/calendar.ts'
import type { FailureReason } from '../modules/payments/rules/failure.ts'
import { db } from '../platform/db/db.ts'
import type { TaskRunner } from '../platform/jobs/task-runner.ts'
import { submitBillingUpdate } from '../workflows/billing-update/submit-billing-update.ts'
import { providerLedger } from '../workflows/reconciliation/provider-ledger.ts'
import { declineMandate } from '../workflows/test-helpers/mandates.ts'
import { advanceByDuration } from '../workflows/test-helpers/operations.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'
import { send } from './api.ts'
import { expireLeases } from './crash.ts'
import { tokenOf } from './shop.ts'
import { ordersOf, pass, type Scenario } from './subscription-scenario.ts'

const broken: TaskRunner = { leaseMs: 90_000, run: () => Promise.reject(new Error('the process is dead')) }

export async function advanceWithoutTasks({ shop }: Pick<Scenario, 'shop'>, by: Duration): Promise<void> {
  await advanceByDuration(shop.scope, { by }, broken)
  await expireLeases()
}

/** Makes the bank decline charges, so that the next renewal is outstanding and its recovery is open. */
export async function failNextRenewal(scenario: Scenario, reason: FailureReason): Promise<Scenario> {
  await declineMandate(scenario.id, reason)
  await pass(scenario, 'P1M1D')
  return scenario
}

export async function billingToken({ key, id }: Pick<Scenario, 'key' | 'id'>): Promise<string> {
  const redirects = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }
  const reply = await send(`POST /v1/subscriptions/${id}/billing-update-link`, { key, body: redirects })
  return tokenOf(reply.body.href)
}

export const submitMethod = (
  token: string,
  paymentMethod: string,
  { version = '0', acceptLanguage = 'de' }: { version?: string; acceptLanguage?: string } = {},
) => {
  const form = { country: 'DE', fullName: 'Ada', taxId: 'DE1', paymentMethod, version }
  return submitBillingUpdate(token, new URLSearchParams(form), { acceptLanguage })
}

export async function chooseMethod(token: string, paymentMethod: string, version = '0') {
  return onProvidersPage(await submitMethod(token, paymentMethod, { version }))
}

export async function onProvidersPage(next: { redirectTo: string } | null, outcome: Record<string, string> = {}) {
  if (!next?.redirectTo.startsWith('/pay/')) return next
  return chooseOutcome(tokenOf(next.redirectTo), new URLSearchParams({ outcome: 'paid', mandate: 'valid', ...outcome }))
}

/** The orders with a positive total, oldest first, each with the provider's outcome of every attempt. */
export async function booksOf(scenario: Scenario): Promise<{ status: string; attempts: string[] }[]> {
  const orders: { id: string; status: string; total: { value: string } }[] = await ordersOf(scenario)
  const owed = orders.filter(({ total }) => total.value !== '0.00')
  return Promise.all(
    owed.map(async ({ id, status }) => ({ status, attempts: (await providerLedger(id)).map((entry) => entry.status) })),
  )
}

/** Makes the effects of test helpers due now instead of a few real seconds later. */
export const makeHelpersDue = () =>
  db()
    .$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE name LIKE 'testmode.%' AND leased_until IS NULL`
