import { hostedPath } from '../../kernel/hosted-pages.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Transaction } from '../events/transact.ts'
import { type BillingUpdateLink, type linkLifetimes, newLink } from './rules/link.ts'
import { insertLink } from './store.ts'

/** Returns the path of the page of a link. The token in the path is derived from the link's id, so the database does not store the token in clear text. */
export const billingUpdatePath = (linkId: string): string => hostedPath('billing-update', linkToken('billing', linkId))

type Made = Pick<BillingUpdateLink, 'subscriptionId' | 'redirectUrlSuccess' | 'redirectUrlCanceled' | 'billingAddress'>

export async function addLink(
  { sql, now, newId, ...tenant }: Transaction,
  link: Made,
  lifetime: keyof typeof linkLifetimes,
): Promise<string> {
  const made = newLink({ id: newId('billing_link_'), ...link }, lifetime, now)
  await insertLink(sql, tenant, made)
  return made.id
}

export const makeLink = async (...asked: Parameters<typeof addLink>): Promise<string> =>
  pageUrl(billingUpdatePath(await addLink(...asked)))
