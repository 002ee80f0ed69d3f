import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Order } from '../orders/rules/order.ts'
import { creditNoteOfCorrection, findOrder } from '../orders/store.ts'

/** The documents of an invoice to which the buyer later added a tax ID: the replaced invoice, its credit note, and the invoice without tax. */
export interface Correction {
  readonly paid: Order
  readonly creditNote: Order
  readonly replacement: Order
}

export async function correctionOf(sql: Sql, tenant: Tenant, document: Order): Promise<Correction | null> {
  const paidId = document.replacesOrderId ?? document.creditedOrderId
  const paid = paidId === null ? document : await findOrder(sql, tenant, paidId)
  if (!paid?.replacedById) return null
  const creditNote = await creditNoteOfCorrection(sql, tenant, paid)
  if (document.creditedOrderId !== null && document.id !== creditNote.id) return null
  const replacement = await findOrder(sql, tenant, paid.replacedById)
  return replacement && { paid, creditNote, replacement }
}
