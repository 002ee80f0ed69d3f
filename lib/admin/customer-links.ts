import { Refusal } from '../kernel/refusal.ts'
import type { CustomerLinks } from '../modules/emails/page.ts'
import { customerLinks } from '../modules/emails/rules/email.ts'
import { findOrder } from '../modules/orders/store.ts'
import { findSubscription } from '../modules/subscriptions/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { addressOf, createLink, emailLink, type LinkFor, linkBlock } from '../workflows/customer-links/operations.ts'
import { type Access, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, onceSaying, refused, toConfirm } from './act.ts'
import { formState, leave, type Next } from './form-state.ts'

const sections = { customer: 'customers', subscription: 'subscriptions', order: 'orders' } as const

const sectionOf = (id: string) => Object.entries(sections).find(([prefix]) => id.startsWith(`${prefix}_`))?.[1] ?? null

async function linksOn(tenant: Tenant, id: string): Promise<LinkFor[]> {
  const section = sectionOf(id)
  if (section === 'customers') return [{ link: 'portal', id }]
  const of = section === 'subscriptions' ? await findSubscription(db(), tenant, id) : null
  const order = section === 'orders' ? await findOrder(db(), tenant, id) : null
  const customerId = (of ?? order)?.customerId
  if (!customerId) return []
  return [
    { link: of ? 'payment_method' : 'invoice', id },
    { link: 'portal', id: customerId },
  ]
}

/**
 * The links for a customer on the page of a customer, a subscription, or an order. Null if the reader may neither create nor email links, or if the object has
 * no customer. `form` is the id of the stored form result, which contains the new link.
 */
export async function customerLinksOn(access: Access, id: string, form: string | null): Promise<CustomerLinks | null> {
  const [mayCreate, mayEmail] = [access.mayDo('customer_link.create'), access.mayDo('customer_link.email')]
  const links = mayCreate || mayEmail ? await linksOn(access.tenant, id) : []
  if (links.length === 0) return null
  const { typed, secret = null } = formState(access, form, access.cookies)
  const created = customerLinks.find((link) => link === typed.link)
  return {
    offers: await Promise.all(
      links.map(async (each) => ({ link: each.link, block: await linkBlock(db(), access.tenant, each) })),
    ),
    created: secret && created ? { link: created, url: secret } : null,
    url: `${access.path}/customer-links/${id}/submit`,
    mayCreate,
    mayEmail,
    formKey: newFormKey(),
  }
}

/** Creates or emails a link. The next page shows a created link. A rendered form takes effect once, even if it is sent again. */
export async function submitCustomerLink(
  place: StorefrontPath,
  id: string,
  form: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'customer-links/[id]', form.get('intent'), cookies)
  const section = sectionOf(id)
  if (!access || !section) return null
  const page = `${access.path}/${section}/${id}`
  const asked = (await linksOn(access.tenant, id)).find(({ link }) => link === form.get('link'))
  const intent = form.get('intent')
  if (!asked) return section === 'customers' ? { redirectTo: page } : null
  if (intent === 'create-link') return create(access, page, asked, form)
  return intent === 'email-link' ? email(access, page, asked, form) : { redirectTo: page }
}

const entryOf = ({ link, id }: LinkFor) => ({ content: [link, id], subject: id, after: () => ({ link }) })

/** Stores only the id of the link. A second click derives the same URL from the id. */
async function create(access: Access, page: string, asked: LinkFor, form: URLSearchParams): Promise<Next> {
  const entry = { ...entryOf(asked), path: '/admin/customer-links/create', action: 'customer_link.create' as const }
  const made = await onceSaying(access, form, { ...entry, word: (linkId: string) => linkId }, (call) =>
    createLink(call, asked),
  )
  if (made instanceof Refusal) return notDone(access, page, form, made)
  const state = { typed: { link: asked.link }, problems: {}, secret: addressOf(asked.link, made.word) }
  const next = leave(access, `${page}?done=linkCreated`, state)
  return { ...next, redirectTo: `${next.redirectTo}#links` }
}

const words = { sent: 'customerLinkSent', limit_reached: 'customerLinkLimit' } as const

async function email(access: Access, page: string, asked: LinkFor, form: URLSearchParams): Promise<Next> {
  const entry = { ...entryOf(asked), path: '/admin/customer-links/email', action: 'customer_link.email' as const }
  const word = (result: keyof typeof words) => words[result]
  const sent = await onceSaying(access, form, { ...entry, word }, (call) => emailLink(call, asked))
  return sent instanceof Refusal ? notDone(access, page, form, sent) : { redirectTo: `${page}?done=${sent.word}` }
}

const notDone = (access: Access, page: string, form: URLSearchParams, refusal: Refusal): Next =>
  toConfirm(access, { page, values: form }, refusal) ??
  refused(access, { page, values: new URLSearchParams() }, refusal)
