import { expect, it } from 'vitest'
import { wants } from './wants.ts'

it.each([
  ['the name is enabled', ['order.paid', 'refund.failed'], false, true],
  ['other names are enabled', ['refund.failed'], false, false],
  ['it is dormant', [], false, false],
  ['it is deleted', ['order.paid'], true, false],
])('where %s', (_, enabledEvents, deleted, expected) => {
  expect(wants({ enabledEvents, deleted }, 'order.paid')).toBe(expected)
})
