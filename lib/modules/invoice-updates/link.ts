import { hostedPath } from '../../kernel/hosted-pages.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Transaction } from '../events/transact.ts'
import { newLink } from './rules/link.ts'
import { insertLink } from './store.ts'

/** Returns the path of the page of a link. The token in the path is derived from the link's id, so the database does not store the token in clear text. */
export const invoiceUpdatePath = (linkId: string): string =>
  hostedPath('invoice-update', linkToken('invoice_update', linkId))

export async function addLink({ sql, now, newId, ...tenant }: Transaction, orderId: string): Promise<string> {
  const made = newLink({ id: newId('invoice_link_'), orderId }, now)
  await insertLink(sql, tenant, made)
  return made.id
}

export const makeLink = async (...asked: Parameters<typeof addLink>): Promise<string> =>
  pageUrl(invoiceUpdatePath(await addLink(...asked)))
