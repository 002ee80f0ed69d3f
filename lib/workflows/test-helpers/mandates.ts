import { invalid, Refusal } from '../../kernel/refusal.ts'
import { transact } from '../../modules/events/transact.ts'
import { activateMandate as activateMandateRow } from '../../modules/payments/pending-mandates.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import * as payments from '../../modules/payments/store.ts'
import { lockOrRefuse, tenantOf } from '../../modules/subscriptions/lock.ts'
import * as store from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import { testControlsFor } from '../../providers/index.ts'
import { collectOutstanding } from '../recovery/charge-outcome.ts'

/** Changes of payment methods in test mode, for the command line. */

/**
 * For test mode: makes a pending payment method chargeable from now on, and charges outstanding orders. Refuses
 * `validation_failed` on an unknown or live method, and `mandate_not_pending`.
 */
export async function activateMandate(id: string) {
  const tenant = await tenantOf(id)
  if (!tenant.testmode)
    throw invalid('subscription', 'It is in live mode, where the provider activates payment methods.')
  return transact(tenant, async (tx) => {
    const subscription = await lockOrRefuse(tx, id)
    const { mandate } = subscription
    if (mandate?.status !== 'pending') throw new Refusal('mandate_not_pending')
    await activateMandateRow(tx.sql, mandate.id)
    // Plans that were bought in one checkout share the mandate.
    for (const each of await store.lockSubscriptionsOf(tx.sql, tx, mandate.id)) await collectOutstanding(tx, each)
    return { subscriptionId: id, mandateId: mandate.id, status: 'valid' }
  })
}

/**
 * For test mode: the test provider declines this payment method from now on. With `null` it charges the method again,
 * and no longer returns its direct debits. Refuses `validation_failed`.
 */
export async function declineMandate(id: string, reason: FailureReason | null) {
  const { tenant, mandateId, mandateRef, controls } = await testMandateOf(id)
  await controls.declineMandate(tenant, mandateRef, reason)
  return { subscriptionId: id, mandateId, declines: reason }
}

/**
 * For test mode: direct debits on this payment method are paid from now on, and the bank returns them days later with a
 * code of ISO 20022. Refuses `validation_failed` on a payment method of another type.
 */
export async function returnDebits(id: string, code = 'AM04') {
  const { tenant, mandateId, mandateRef, method, controls } = await testMandateOf(id)
  if (method !== 'sepa_debit') throw invalid('subscription', 'Its payment method is not charged by SEPA Direct Debit.')
  await controls.returnDebits(tenant, mandateRef, code)
  return { subscriptionId: id, mandateId, returns: code }
}

async function testMandateOf(id: string) {
  const tenant = await tenantOf(id)
  const { mandate } = (await store.findSubscription(db(), tenant, id)) ?? {}
  const mandateRef = mandate && (await payments.mandateRefs(db(), tenant, [mandate.id])).get(mandate.id)?.ref
  const controls = mandate && testControlsFor(mandate)
  if (!mandate || !mandateRef || !controls) throw invalid('subscription', 'It has no payment method in test mode.')
  return { tenant, mandateId: mandate.id, mandateRef, method: mandate.method, controls }
}
