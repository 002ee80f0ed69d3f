import type { AuditRow } from '@/lib/modules/audit/page.ts'
import { AuditTable } from './audit-table.tsx'
import { adminText as t } from './text.ts'

/** The audit log, a page at a time. */
export function AuditLog({
  entries,
  olderUrl,
  isNewest,
}: {
  entries: AuditRow[]
  olderUrl: string | null
  isNewest: boolean
}) {
  return (
    <>
      <h1 className="font-semibold text-title tracking-tight">{t('audit.heading')}</h1>
      <p className="mt-1 text-soft">{t('audit.text')}</p>
      {entries.length === 0 ? <p className="mt-4 text-soft">{t('audit.empty')}</p> : <AuditTable entries={entries} />}
      <p className="mt-4 flex gap-6">
        {!isNewest && <a href="/admin/audit">{t('audit.newest')}</a>}
        {olderUrl && <a href={olderUrl}>{t('audit.older')}</a>}
      </p>
    </>
  )
}
