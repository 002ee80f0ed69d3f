import { expect } from 'vitest'
import { db } from '../platform/db/db.ts'
import { balanceOf, eventsAbout, type Sale } from './money-back.ts'
import { get } from './subscription-scenario.ts'

export interface SaleOutcome {
  readonly refunds: string[]
  readonly chargebacks: string[]
  readonly bank: string[]
  readonly reversed: string
  readonly refundable: string
  readonly creditNotes: number
  readonly events: string[]
  readonly books: Record<string, string>
}

export const nothingReversed = { refunds: [], chargebacks: [], bank: [], reversed: '0.00', creditNotes: 0, events: [] }

export async function saleOutcome(sale: Sale): Promise<SaleOutcome> {
  const { key, orderId } = sale
  const { reversedSubtotal, refundableSubtotal } = await get(key, `/v1/orders/${orderId}`)
  const statuses = async (path: string) => (await get(key, path)).data.map(({ status }: { status: string }) => status)
  const mine = { where: { storefront_id: sale.tenant.storefrontId } }
  const notes = await db().orders.findMany({ where: { credited_order_id: orderId }, orderBy: { id: 'asc' } })
  expect(notes.map((note) => note.invoice_number)).toEqual(notes.map((_, index) => `TEST-CN-2026-00000${index + 1}`))
  return {
    refunds: await statuses(`/v1/orders/${orderId}/refunds`),
    chargebacks: await statuses(`/v1/orders/${orderId}/chargebacks`),
    bank: (await db().sandbox_refunds.findMany(mine)).map(({ status }) => status),
    reversed: reversedSubtotal.value,
    refundable: refundableSubtotal.value,
    creditNotes: notes.length,
    events: (await eventsAbout(sale, /^(?:checkout|order|refund)/)).slice(2),
    books: await balanceOf(sale),
  }
}
