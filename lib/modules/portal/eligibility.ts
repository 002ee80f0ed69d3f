import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Customer } from '../customers/store.ts'
import { hasInvoice } from '../orders/store.ts'

/** Why a merchant cannot open the portal for a customer, with the sentence of the API. */
export const portalBlocks = {
  erased: 'The personal data of this customer was erased.',
  no_invoice: 'No invoice has been issued to this customer yet: a first paid order makes the customer eligible.',
} as const
export type PortalBlock = keyof typeof portalBlocks

export async function portalBlock(sql: Sql, tenant: Tenant, { id, erasedAt }: Customer): Promise<PortalBlock | null> {
  if (erasedAt) return 'erased'
  return (await hasInvoice(sql, tenant, id)) ? null : 'no_invoice'
}
