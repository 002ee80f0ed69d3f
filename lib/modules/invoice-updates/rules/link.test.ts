import { expect, it } from 'vitest'
import { newLink } from './link.ts'

it('an invoice-update link expires after one day', () => {
  const now = new Date('2027-03-27T12:00:00Z')
  const given = { id: 'invoice_link_1', orderId: 'order_1' }
  const over = new Date('2027-03-28T12:00:00Z')
  expect(newLink(given, now)).toEqual({ ...given, draft: null, createdAt: now, expiresAt: over })
})
