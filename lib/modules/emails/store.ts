import type { Locale } from '../../kernel/locale.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import { insertRows, type Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import type { Composed, EmailContent, EmailKind, EmailStatus } from './rules/email.ts'

type EmailBody = { readonly content: EmailContent } | Composed

export interface StoredEmail {
  readonly id: string
  readonly kind: EmailKind
  readonly testmode: boolean
  readonly locale: Locale
  readonly to: string
  readonly body: EmailBody
  readonly status: EmailStatus
  readonly orderId: string | null
  readonly subscriptionId: string | null
  /** `customerId` is null in an email to an operator or member. */
  readonly customerId: string | null
  readonly originalId: string | null
  /** `createdAt` is on the storefront's clock. */
  readonly createdAt: Date
  /** `sentAt` and the times below it are on the real clock. */
  readonly sentAt: Date | null
  /** The time at which the mailbox refused the email, temporarily or permanently. */
  readonly bouncedAt: Date | null
  readonly isBouncedForGood: boolean
  readonly complainedAt: Date | null
}

export const sealedAt = (id: string) => `mails|${id}|sealed`

/** Encrypts address and body, which contain personal data and links that grant access. */
const sealed = ({ id, to, body }: Pick<StoredEmail, 'id' | 'to' | 'body'>) =>
  seal(JSON.stringify({ to, ...body }), sealedAt(id))

export async function insertEmails(
  sql: Sql,
  tenant: Tenant,
  emails: readonly Omit<StoredEmail, 'testmode' | 'sentAt' | 'bouncedAt' | 'isBouncedForGood' | 'complainedAt'>[],
): Promise<void> {
  const rows = emails.map((email) => ({
    id: email.id,
    ...ownedBy(tenant),
    kind: email.kind,
    locale: email.locale,
    sealed: sealed(email),
    status: email.status,
    order_id: email.orderId,
    subscription_id: email.subscriptionId,
    customer_id: email.customerId,
    original_id: email.originalId,
    created_at: email.createdAt,
    sent_at: null,
    bounced_at: null,
    bounced_for_good: false,
    complained_at: null,
  }))
  if (rows.length > 0) await insertRows(sql, 'emails', rows)
}

export async function emailsOfDocuments(sql: Sql, orderIds: readonly string[]): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map()
  const where = { order_id: { in: [...orderIds] }, original_id: null }
  const rows = await sql.emails.findMany({ where, select: { id: true, order_id: true } })
  return new Map(rows.flatMap(({ id, order_id }) => (order_id ? [[order_id, id] as const] : [])))
}

export async function findEmail(sql: Sql, tenant: Tenant, id: string): Promise<StoredEmail | null> {
  const row = await sql.emails.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toEmail(row)
}

export type EmailOutcome =
  | { readonly status: 'sent'; readonly sentAt: Date; readonly words: Composed }
  | { readonly status: 'refused' | 'kept' | 'suppressed' | 'unsupported' | 'unreadable' }

export async function finishEmail(sql: Sql, { id, to }: StoredEmail, end: EmailOutcome): Promise<void> {
  const sent = end.status === 'sent' && { sent_at: end.sentAt, sealed: sealed({ id, to, body: end.words }) }
  await sql.emails.updateMany({ where: { id, status: 'queued' }, data: { status: end.status, ...sent } })
}

export async function lockEmail(sql: Sql, id: string): Promise<StoredEmail | null> {
  await sql.$queryRaw`SELECT 1 FROM emails WHERE id = ${id} FOR NO KEY UPDATE`
  const row = await sql.emails.findUnique({ where: { id } })
  return row && toEmail(row)
}

export async function findEmailAnywhere(sql: Sql, id: string): Promise<{ email: StoredEmail; tenant: Tenant } | null> {
  const row = await sql.emails.findUnique({ where: { id } })
  return row && { email: toEmail(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

export async function markReturned(
  sql: Sql,
  id: string,
  { type, permanent, at }: { type: 'bounce' | 'complaint'; permanent: boolean; at: Date },
): Promise<void> {
  if (type === 'complaint')
    await sql.$executeRaw`UPDATE emails SET complained_at = least(complained_at, ${at}) WHERE id = ${id}`
  else
    await sql.$executeRaw`
      UPDATE emails SET bounced_at = least(bounced_at, ${at}), bounced_for_good = bounced_for_good OR ${permanent} WHERE id = ${id}`
}

export async function tenantOfEmail(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.emails.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

export const countResends = (sql: Sql, originalId: string): Promise<number> =>
  sql.emails.count({ where: { original_id: originalId } })

/** Counts the emails to a customer that were created later than `after`. With `withoutResends`, does not count the emails that a merchant sent again. */
export const countEmailsTo = (
  sql: Sql,
  tenant: Tenant,
  {
    customerId,
    kinds,
    after,
    withoutResends = false,
  }: { customerId: string; kinds: readonly EmailKind[]; after: Date; withoutResends?: boolean },
): Promise<number> =>
  sql.emails.count({
    where: {
      ...ownedBy(tenant),
      customer_id: customerId,
      kind: { in: [...kinds] },
      created_at: { gt: after },
      ...(withoutResends && { original_id: null }),
    },
  })

export async function disabledKinds(sql: Sql, storefrontId: string): Promise<Set<EmailKind>> {
  const rows = await sql.disabled_email_kinds.findMany({ where: { storefront_id: storefrontId } })
  return new Set(rows.map(({ kind }) => kind))
}

export async function disableKind(sql: Sql, storefrontId: string, kind: EmailKind, at: Date): Promise<void> {
  const row = { storefront_id: storefrontId, kind, created_at: at }
  await insertRows(sql, 'disabled_email_kinds', [row], { skipDuplicates: true })
}

export async function enableKind(sql: Sql, storefrontId: string, kind: EmailKind): Promise<void> {
  await sql.disabled_email_kinds.deleteMany({ where: { storefront_id: storefrontId, kind } })
}

export function pageOfEmails(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  { orderId, status }: { orderId?: string | undefined; status?: EmailStatus | undefined } = {},
): Promise<Page<StoredEmail>> {
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.emails.findFirst({ ...asked, select: { id: true } }),
    prefix: 'mail_',
    filter: { ...(orderId && { order_id: orderId }), ...(status && { status }) },
    find: async (asked) => (await sql.emails.findMany(asked)).map(toEmail),
  })
}

export async function emailsAbout(
  sql: Sql,
  tenant: Tenant,
  { subscriptionId, orderIds }: { subscriptionId: string; orderIds: readonly string[] },
  take: number,
): Promise<StoredEmail[]> {
  const find = (of: { subscription_id: string } | { order_id: { in: string[] } }) =>
    sql.emails.findMany({ where: { ...ownedBy(tenant), ...of }, orderBy: { id: 'desc' }, take })
  const [ofIt, ofOrders] = [
    await find({ subscription_id: subscriptionId }),
    await find({ order_id: { in: [...orderIds] } }),
  ]
  return [...ofIt, ...ofOrders].map(toEmail)
}

export async function recentEmails(
  sql: Sql,
  storefrontId: string,
  testmode: boolean | undefined,
  limit: number,
): Promise<StoredEmail[]> {
  const where = { storefront_id: storefrontId, ...(testmode !== undefined && { testmode }) }
  return (await sql.emails.findMany({ where, orderBy: { id: 'desc' }, take: limit })).map(toEmail)
}

export async function newestEmailsOf(
  sql: Sql,
  tenant: Tenant,
  customerId: string,
  take: number,
): Promise<StoredEmail[]> {
  const where = { customer_id: customerId, ...ownedBy(tenant) }
  return (await sql.emails.findMany({ where, orderBy: { id: 'desc' }, take })).map(toEmail)
}

export async function emailsOfCustomer(sql: Sql, tenant: Tenant, customerId: string): Promise<StoredEmail[]> {
  const where = { customer_id: customerId, ...ownedBy(tenant) }
  return (await sql.emails.findMany({ where, orderBy: { id: 'asc' } })).map(toEmail)
}

/**
 * Erases address and content of all emails about a customer, and returns the emails with their former content. Kinds, times, and outcomes stay. Searches
 * again until no email is left, because a concurrent resend can add an email. The resend locks the original email. The erasure of the original waits for this
 * lock, so the next search finds the added email.
 */
export async function eraseEmails(sql: Sql, tenant: Tenant, customerId: string): Promise<StoredEmail[]> {
  const erased = new Map<string, StoredEmail>()
  for (;;) {
    const found = (await emailsOfCustomer(sql, tenant, customerId)).filter(({ id }) => !erased.has(id))
    if (found.length === 0) return [...erased.values()]
    for (const email of found) {
      const body = { subject: '', text: '', html: '' }
      const data = { sealed: sealed({ id: email.id, to: '', body }) }
      await sql.emails.update({ where: { id: email.id }, data, select: { id: true } })
      erased.set(email.id, email)
    }
  }
}

type Row = Awaited<ReturnType<Sql['emails']['findUniqueOrThrow']>>

const lost = 'The text cannot be read, because the key that encrypted it is lost.'
const unreadable: EmailBody = { subject: lost, text: lost, html: `<p>${lost}</p>` }

export const isReadable = ({ body }: StoredEmail): boolean => body !== unreadable

/** If the encryption key of the email is lost, `to` is '' and the texts say that the email cannot be read. */
const toEmail = (row: Row): StoredEmail => {
  const opened = unsealIfOpenable(row.sealed, sealedAt(row.id))
  const { to, ...words } = JSON.parse(opened ?? '{ "to": "" }') as { to: string } & EmailBody
  const body = opened === null ? unreadable : words
  return {
    id: row.id,
    kind: row.kind,
    testmode: row.testmode,
    locale: row.locale,
    to,
    body,
    status: row.status,
    orderId: row.order_id,
    subscriptionId: row.subscription_id,
    customerId: row.customer_id,
    originalId: row.original_id,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    bouncedAt: row.bounced_at,
    isBouncedForGood: row.bounced_for_good,
    complainedAt: row.complained_at,
  }
}
