import { hostedPath } from '../../kernel/hosted-pages.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Transaction } from '../events/transact.ts'
import { newLink } from './rules/link.ts'
import { insertLink } from './store.ts'

/** The address of a link, derived from the id: it is never stored in the clear. */
export const invoiceUpdatePath = (linkId: string): string =>
  hostedPath('invoice-update', linkToken('invoice_update', linkId))

/** Creates a link to the details on an order's invoice, in the caller's transaction. Returns its id. */
export async function addLink({ sql, now, newId, ...tenant }: Transaction, orderId: string): Promise<string> {
  const made = newLink({ id: newId('invoice_link_'), orderId }, now)
  await insertLink(sql, tenant, made)
  return made.id
}

/** As `addLink`, but returns the address of the link. */
export const makeLink = async (...asked: Parameters<typeof addLink>): Promise<string> =>
  pageUrl(invoiceUpdatePath(await addLink(...asked)))
