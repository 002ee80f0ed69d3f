import type { Locale } from '../../kernel/locale.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { seal, unseal } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { EmailContent, EmailStatus } from './rules/email.ts'

/** The sealed part of an email: it is personal data, and its links grant access. */
export interface Email {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface StoredEmail extends Email {
  readonly id: string
  readonly kind: EmailContent['kind']
  readonly testmode: boolean
  readonly locale: Locale
  readonly status: EmailStatus
  /** On the storefront's clock. */
  readonly createdAt: Date
  /** In real time. */
  readonly sentAt: Date | null
}

const sealedAt = (id: string) => `mails|${id}|sealed`

export async function insertEmail(
  sql: Sql,
  tenant: Tenant,
  mail: Omit<StoredEmail, 'testmode' | 'sentAt'>,
): Promise<void> {
  const { id, kind, locale, status, createdAt, to, subject, text, html } = mail
  const letter: Email = { to, subject, text, html }
  await sql.emails.create({
    data: {
      id,
      ...ownedBy(tenant),
      kind,
      locale,
      sealed: seal(JSON.stringify(letter), sealedAt(id)),
      status,
      created_at: createdAt,
    },
    select: { id: true },
  })
}

export async function findEmail(sql: Sql, tenant: Tenant, id: string): Promise<StoredEmail | null> {
  const row = await sql.emails.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toMail(row)
}

/** The outcome of a queued email. */
export type EmailOutcome = { readonly status: 'sent'; readonly sentAt: Date } | { readonly status: 'refused' | 'kept' }

/** Records the outcome of a queued email; any other email stays as it is. */
export async function finishEmail(sql: Sql, id: string, end: EmailOutcome): Promise<void> {
  const data = { status: end.status, sent_at: end.status === 'sent' ? end.sentAt : null }
  await sql.emails.updateMany({ where: { id, status: 'queued' }, data })
}

/** For operators: the newest emails of a storefront. */
export async function recentEmails(
  sql: Sql,
  storefrontId: string,
  testmode: boolean | undefined,
  limit: number,
): Promise<StoredEmail[]> {
  const where = { storefront_id: storefrontId, ...(testmode !== undefined && { testmode }) }
  return (await sql.emails.findMany({ where, orderBy: { id: 'desc' }, take: limit })).map(toMail)
}

type Row = Awaited<ReturnType<Sql['emails']['findUniqueOrThrow']>>

const toMail = (row: Row): StoredEmail => {
  const { to, subject, text, html }: Email = JSON.parse(unseal(row.sealed, sealedAt(row.id)))
  return {
    id: row.id,
    kind: row.kind as EmailContent['kind'],
    testmode: row.testmode,
    locale: row.locale as Locale,
    to,
    subject,
    status: row.status as EmailStatus,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    text,
    html,
  }
}
