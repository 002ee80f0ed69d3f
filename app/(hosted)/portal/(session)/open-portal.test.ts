import { expect, it } from 'vitest'
import { portalLoader } from './open-portal.ts'

it.each([
  ['/portal', true],
  ['/portal/invoices', true],
  ['/portal/email', true],
  ['/portal/details', true],
  ['/portal/details/x', false],
  ['/portal/subscriptions/x', true],
  ['/portal/subscriptions/x/cancel', true],
  ['/portal/subscriptions/x/change', true],
  ['/portal/subscriptions', false],
  ['/portal/subscriptions/', false],
  ['/portal/subscriptions/x/elsewhere', false],
  ['/portal/subscriptions/x/cancel/x', false],
  ['/portal/invoices/x', false],
  ['/portal/elsewhere', false],
])('the path %s is a portal page: %s', (path, isPage) => {
  expect(portalLoader(path) !== null).toBe(isPage)
})
