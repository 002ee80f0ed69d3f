import { keyNames } from '../modules/accounts/key-store.ts'
import { storefrontNames } from '../modules/accounts/store.ts'
import { auditEnd, auditLog } from '../modules/audit/operations.ts'
import type { AuditPage, AuditRow } from '../modules/audit/page.ts'
import type { StoredEntry } from '../modules/audit/store.ts'
import { emailsOf } from '../modules/operators/store.ts'
import { db } from '../platform/db/db.ts'
import { staffOn } from './access.ts'
import type { ListParameters } from './list.ts'
import { narrowedBy, staffExportUrl } from './staff-exports.ts'

const entriesOnPage = 50

/** A page of the audit log, newest first, for one subject or for all subjects. `before` is the number of the oldest entry on the preceding page. */
export async function auditPage(
  { before = null, subject = null }: ListParameters,
  cookies: string | null,
): Promise<AuditPage | null> {
  if (!(await staffOn('audit', cookies))) return null
  const from = before !== null && /^[1-9]\d{0,15}$/.test(before) ? BigInt(before) : null
  const of = narrowedBy(subject) ?? null
  const entries = await auditLog(from, entriesOnPage + 1, of ?? undefined)
  const shown = entries.slice(0, entriesOnPage)
  const last = entries.length > shown.length ? shown.at(-1) : undefined
  const filter: Record<string, string> = of ? { subject: of } : {}
  const url = (more: Record<string, string>) => `/admin/audit?${new URLSearchParams({ ...filter, ...more })}`
  return {
    entries: await auditRows(shown),
    end: await auditEnd(),
    subject: of,
    isNewest: from === null,
    newestUrl: url({}),
    olderUrl: last ? url({ before: String(last.seq) }) : null,
    exportUrl: staffExportUrl('audit', filter),
  }
}

export async function auditRows(entries: readonly StoredEntry[]): Promise<AuditRow[]> {
  const subjects = [...new Set(entries.map(({ subject }) => subject))]
  const emails = await emailsOf(db(), [...new Set([...entries.map(({ actor }) => actor.id), ...subjects])])
  const [keys, storefronts] = [await keyNames(db(), subjects), await storefrontNames(db(), subjects)]
  return entries.map(({ seq, at, actor, action, subject, before, after, hash }) => ({
    number: Number(seq),
    at: at.toISOString(),
    actor,
    who: emails.get(actor.id) ?? actor.id,
    action,
    subject,
    subjectName: keys.get(subject)?.name ?? storefronts.get(subject) ?? emails.get(subject) ?? null,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
    hash: Buffer.from(hash).toString('hex'),
  }))
}
