import { hostedPath } from '../../kernel/hosted-pages.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Transaction } from '../events/transact.ts'
import { type BillingUpdateLink, type linkLifetimes, newLink } from './rules/link.ts'
import { insertLink } from './store.ts'

/** The address of a link, derived from the id: it is never stored in the clear. */
export const billingUpdatePath = (linkId: string): string => hostedPath('billing-update', linkToken('billing', linkId))

type Made = Pick<BillingUpdateLink, 'subscriptionId' | 'redirectUrlSuccess' | 'redirectUrlCanceled' | 'billingAddress'>

/** Creates a link to a subscription's billing details, in the caller's transaction. Returns its id. */
export async function addLink(
  { sql, now, newId, ...tenant }: Transaction,
  link: Made,
  lifetime: keyof typeof linkLifetimes,
): Promise<string> {
  const made = newLink({ id: newId('billing_link_'), ...link }, lifetime, now)
  await insertLink(sql, tenant, made)
  return made.id
}

/** As `addLink`, but returns the address of the link. */
export const makeLink = async (...asked: Parameters<typeof addLink>): Promise<string> =>
  pageUrl(billingUpdatePath(await addLink(...asked)))
