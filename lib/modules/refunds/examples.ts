import type { Refund } from './rules/refund.ts'

export const aRefund = (differences: Partial<Refund> = {}): Refund => ({
  id: 'refund_0000000000000000000001',
  testmode: true,
  orderId: 'order_0000000000000000000001',
  customerId: 'customer_0000000000000000000001',
  status: 'pending',
  currency: 'EUR',
  subtotal: 10_000n,
  total: 11_900n,
  taxSummary: [{ rate: { name: 'VAT', percentage: '19' }, amount: 1_900n }],
  lines: [],
  metadata: null,
  feeReturned: 0n,
  recalledAt: null,
  windowEndsAt: new Date('2026-11-20T00:01:00Z'),
  creditNoteId: null,
  createdAt: new Date('2026-11-20T00:00:00Z'),
  finishedAt: null,
  ...differences,
})
