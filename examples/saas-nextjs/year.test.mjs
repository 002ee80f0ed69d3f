// @ts-check
// Simulates a year of a subscription on the test clock, and cancels the subscription. Run this test after a purchase in test mode:
// `SUBSCRIPTION_ID=subscription_... npm run year`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBillhook } from '@billhook/sdk'

const billhook = createBillhook({ baseUrl: process.env.BILLHOOK_URL, apiKey: process.env.BILLHOOK_KEY })
const id = process.env.SUBSCRIPTION_ID ?? ''

const subscription = () => billhook.getSubscription(id)
/** Advances the clock exactly to the renewal. An advance by `P1M` can end days after the renewal, when a failed payment has already been retried. */
async function endPeriod() {
  const { nextRenewalAt, renewedUntil } = await subscription()
  await billhook.advanceTestClock({ to: nextRenewalAt ?? renewedUntil ?? '' })
}
async function paidOrders() {
  let count = 0
  for await (const _ of billhook.listOrders({ subscriptionId: id, status: 'paid' })) count++
  return count
}

test('the first three renewals are paid', async () => {
  const before = await paidOrders()
  for (let month = 1; month <= 3; month++) await endPeriod()
  assert.equal(await paidOrders(), before + 3)
})

test('additional seats are charged at once for the previewed price', async () => {
  const { quantity } = await subscription()
  const change = { quantity: quantity + 2, applyImmediately: true, invoiceImmediately: true }
  const { dueNow, asOf } = await billhook.previewSubscriptionChange(id, change)
  await billhook.changeSubscription(id, { ...change, asOf })
  // A background task charges the price of the additional seats. The call that advances the test clock returns after this task has run.
  await billhook.advanceTestClock({ by: 'PT1H' })
  const { data } = await billhook.listOrders({ subscriptionId: id, limit: 1 })
  assert.deepEqual([data[0]?.status, data[0]?.total], ['paid', dueNow?.total])
  assert.equal((await subscription()).quantity, quantity + 2)
})

test('a declined renewal starts a recovery, and a retry pays the renewal', async () => {
  await billhook.setPaymentBehavior(id, { outcome: 'failed', failureReason: 'insufficient_funds', times: 1 })
  await endPeriod()
  const { status, recovery } = await subscription()
  assert.equal(status, 'active')
  assert.equal(recovery?.failureReason, 'insufficient_funds')
  await billhook.advanceTestClock({ by: 'P8D' })
  assert.equal((await subscription()).recovery, null)
})

test('a reduction of seats takes effect at the renewal', async () => {
  const { quantity } = await subscription()
  await billhook.changeSubscription(id, { quantity: quantity - 1 })
  assert.equal((await subscription()).quantity, quantity)
  await endPeriod()
  assert.equal((await subscription()).quantity, quantity - 1)
})

test('the remaining months are paid, and a canceled subscription ends with its paid period', async () => {
  const before = await paidOrders()
  for (let month = 6; month <= 11; month++) await endPeriod()
  assert.equal(await paidOrders(), before + 6)
  await billhook.cancelSubscription(id)
  assert.equal((await subscription()).status, 'on_grace_period')
  await endPeriod()
  assert.equal((await subscription()).status, 'canceled')
})
