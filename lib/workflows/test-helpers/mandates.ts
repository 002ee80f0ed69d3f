import type { z } from 'zod'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { transact } from '../../modules/events/transact.ts'
import { activateMandate as activateMandateRow } from '../../modules/payments/pending-mandates.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import * as payments from '../../modules/payments/store.ts'
import { lockOrRefuse, tenantOf } from '../../modules/subscriptions/lock.ts'
import * as store from '../../modules/subscriptions/store.ts'
import type { setPaymentBehavior as setPaymentBehaviorEndpoint } from '../../modules/test-helpers/contract.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { type RequestContext, withoutCompletion } from '../../platform/jobs/transact.ts'
import { testControlsFor } from '../../providers/index.ts'
import { collectOutstanding } from '../recovery/charge-outcome.ts'

/**
 * Makes a pending mandate valid, and charges outstanding orders. Refuses with `validation_failed` in live mode, and
 * with `mandate_not_pending` if the mandate is not pending.
 */
export async function activateMandate(id: string) {
  const tenant = await tenantOf(id)
  if (!tenant.testmode) throw invalid('subscription', 'Is in live mode, where the provider activates payment methods.')
  return transact(tenant, async (tx) => {
    const subscription = await lockOrRefuse(tx, id)
    const { mandate } = subscription
    if (mandate?.status !== 'pending') throw new Refusal('mandate_not_pending')
    await activateMandateRow(tx.sql, mandate.id)
    // Subscriptions that were bought in one checkout share the mandate.
    for (const each of await store.lockSubscriptionsOf(tx.sql, tx, mandate.id)) await collectOutstanding(tx, each)
    return { subscriptionId: id, mandateId: mandate.id, status: 'valid' }
  })
}

/**
 * Makes the test provider decline all charges of the subscription with `reason`. If `reason` is null, charges are paid again, and direct debits are no longer
 * returned. Refuses with `validation_failed` if the subscription has no payment method of the test provider.
 */
export async function declineMandate(id: string, reason: FailureReason | null) {
  const { mandateId } = await setDecline(await tenantOf(id), 'subscription', id, { reason, times: null })
  return { subscriptionId: id, mandateId, declines: reason }
}

/** Safe to repeat. Refuses with `not_found`, or with `validation_failed` if the subscription has no payment method of the test provider. */
export async function setPaymentBehavior(
  context: RequestContext,
  id: string,
  { outcome, failureReason, times }: z.infer<typeof setPaymentBehaviorEndpoint.body & object>,
) {
  if (!(await store.findSubscription(db(), context, id))) throw new Refusal('not_found')
  const reason = outcome === 'failed' ? (failureReason ?? 'general_failure') : null
  const decline = { reason, times: times ?? null }
  await setDecline(withoutCompletion(context), 'id', id, decline)
  return transact(context, async () => ({ outcome, failureReason: reason, times: decline.times }))
}

export async function validatePaymentBehavior(tenant: Tenant, id: string): Promise<FieldErrors> {
  const isKnown = (await store.findSubscription(db(), tenant, id)) !== null
  return isKnown && (await testMandateOf(tenant, id)) === null ? { id: [noTestMethod] } : {}
}

const noTestMethod = 'The subscription has no payment method of the test provider.'

/** `field` names the subscription in errors. */
async function setDecline(
  tenant: Tenant,
  field: 'id' | 'subscription',
  id: string,
  decline: { readonly reason: FailureReason | null; readonly times: number | null },
) {
  const found = await testMandateOf(tenant, id)
  if (!found) throw invalid(field, noTestMethod)
  await found.controls.declineMandate(tenant, found.mandateRef, decline)
  return found
}

/**
 * Makes the bank return each later SEPA direct debit of the subscription five days after its payment, with the reason `code` (ISO 20022). Refuses with
 * `validation_failed` if the payment method is not a SEPA direct debit of the test provider.
 */
export async function returnDebits(id: string, code = 'AM04') {
  const tenant = await tenantOf(id)
  const found = await testMandateOf(tenant, id)
  if (!found) throw invalid('subscription', noTestMethod)
  const { mandateId, mandateRef, method, controls } = found
  if (method !== 'sepa_debit')
    throw invalid('subscription', 'The payment method of the subscription must be SEPA Direct Debit.')
  await controls.returnDebits(tenant, mandateRef, code)
  return { subscriptionId: id, mandateId, returns: code }
}

async function testMandateOf(tenant: Tenant, id: string) {
  const { mandate } = (await store.findSubscription(db(), tenant, id)) ?? {}
  const mandateRef = mandate && (await payments.mandateRefs(db(), tenant, [mandate.id])).get(mandate.id)?.ref
  const controls = mandate && testControlsFor(mandate)
  if (!mandate || !mandateRef || !controls) return null
  return { mandateId: mandate.id, mandateRef, method: mandate.method, controls }
}
