import { expect, it } from 'vitest'
import { wants } from './wants.ts'

it.each([
  ['receives an event that is enabled', ['order.paid', 'refund.failed'], false, true],
  ['receives no event that is not enabled', ['refund.failed'], false, false],
  ['receives no event if no events are enabled', [], false, false],
  ['receives no event after its deletion', ['order.paid'], true, false],
])('when an event is emitted, a webhook endpoint %s', (_, enabledEvents, deleted, expected) => {
  expect(wants({ enabledEvents, deleted }, 'order.paid')).toBe(expected)
})
