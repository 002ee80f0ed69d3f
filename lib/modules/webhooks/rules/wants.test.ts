import { expect, it } from 'vitest'
import { wants } from './wants.ts'

it.each([
  ['yes, if its name is enabled', ['order.paid', 'refund.failed'], false, true],
  ['no, if only other names are enabled', ['refund.failed'], false, false],
  ['no, if it is dormant', [], false, false],
  ['no, if it is deleted', ['order.paid'], true, false],
])('an endpoint wants an event: %s', (_, enabledEvents, deleted, expected) => {
  expect(wants({ enabledEvents, deleted }, 'order.paid')).toBe(expected)
})
