import { expect, it } from 'vitest'
import { makeId } from '../kernel/ids.ts'
import { causeOf } from './causes.ts'

const madeAt = new Date('2026-11-29T12:00:00.000Z')
const microseconds = BigInt(madeAt.getTime() - Date.UTC(2026, 0, 1)) * 1000n
const id = makeId('webhook_event_', Date.UTC(2030, 0, 1) / 1000, microseconds, 0n)
const entry = (action: string, actorId: string, afterMs: number) => ({
  action,
  at: new Date(madeAt.getTime() + afterMs),
  actor: { kind: 'member' as const, id: actorId, address: null },
})
const members = new Map([['operator_1', 'ada@example.com']])

it.each([
  ['a renewal', 'renewed', null, [], { kind: 'schedule' }],
  ['the end for nonpayment', 'canceled_for_nonpayment', 'payment_failure', [], { kind: 'schedule' }],
  ['the start', 'started', null, [], { kind: 'buyer' }],
  ['a new payment method', 'billing_updated', null, [], { kind: 'buyer' }],
  ['a cancellation in the portal', 'canceled_with_grace_period', 'customer_request', [], { kind: 'buyer' }],
  ['a cancellation through the API', 'canceled_with_grace_period', 'merchant_request', [], { kind: 'apiOrPortal' }],
  [
    'a cancellation by a member',
    'canceled_with_grace_period',
    'merchant_request',
    [entry('subscription.cancel', 'operator_1', 400)],
    { kind: 'member', name: 'ada@example.com' },
  ],
  ['a pause by staff', 'paused', null, [entry('subscription.pause', 'operator_2', 400)], { kind: 'staff' }],
  [
    'a change after the change of a member',
    'updated_immediately',
    null,
    [entry('subscription.change', 'operator_1', -60_000)],
    { kind: 'apiOrPortal' },
  ],
  [
    'a change at the time of another action',
    'updated_immediately',
    null,
    [entry('subscription.cancel', 'operator_1', 400)],
    { kind: 'apiOrPortal' },
  ],
] as const)(
  'the cause of an event is derived if an older version stored the event without a cause: %s',
  (_, event, cancellationReason, entries, cause) => {
    const known = { entries, members, keys: new Map() }
    expect(causeOf({ id, event, causedBy: null, cancellationReason }, known)).toEqual(cause)
  },
)

it.each([
  ['key_1', { kind: 'key', name: 'Server' }],
  ['key_2', { kind: 'key', name: 'key_2' }],
  ['operator_1', { kind: 'member', name: 'ada@example.com' }],
  ['operator_9', { kind: 'formerMember' }],
  ['staff', { kind: 'staff' }],
  ['customer', { kind: 'buyer' }],
  ['service', { kind: 'schedule' }],
] as const)('the caller %s of a change is shown as the cause %j', (causedBy, cause) => {
  const known = { entries: [], members, keys: new Map([['key_1', 'Server']]) }
  expect(causeOf({ id, event: 'updated_immediately', causedBy, cancellationReason: null }, known)).toEqual(cause)
})

it.each([
  ['started', { kind: 'buyer' }],
  ['renewed', { kind: 'schedule' }],
] as const)('a "%s" event with the caller "service" is shown with the cause %j', (event, cause) => {
  const known = { entries: [], members, keys: new Map() }
  expect(causeOf({ id, event, causedBy: 'service', cancellationReason: null }, known)).toEqual(cause)
})
