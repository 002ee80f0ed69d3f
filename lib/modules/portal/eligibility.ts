import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Customer } from '../customers/store.ts'
import { hasInvoice } from '../orders/store.ts'

/** The reasons why a merchant cannot create a portal session for a customer, with the error texts of the API. */
export const portalBlocks = {
  erased: 'The personal data of this customer was erased.',
  no_invoice: 'This customer has no invoice yet. The first paid order makes the customer eligible.',
} as const
export type PortalBlock = keyof typeof portalBlocks

export async function portalBlock(sql: Sql, tenant: Tenant, { id, erasedAt }: Customer): Promise<PortalBlock | null> {
  if (erasedAt) return 'erased'
  return (await hasInvoice(sql, tenant, id)) ? null : 'no_invoice'
}
