import type { AuditPage } from '@/lib/modules/audit/page.ts'
import { AuditTable } from './audit-table.tsx'
import { Export } from './data-table.tsx'
import { FilterForm } from './filter-form.tsx'
import { adminText as t } from './text.ts'

/** The audit log, a page at a time, of everything or of one id. */
export function AuditLog({ page }: { page: AuditPage }) {
  const { entries, subject, isNewest, newestUrl, olderUrl } = page
  return (
    <>
      <h1 className="font-semibold text-title tracking-tight">{t('audit.heading')}</h1>
      <p className="mt-1 text-soft">{t('audit.text')}</p>
      <FilterForm
        action="/admin/audit"
        defaultValue={subject ?? ''}
        label={t('audit.filter')}
        maxLength={100}
        name="subject"
      />
      {entries.length === 0 ? (
        <p className="mt-4 text-soft">{t(subject === null ? 'audit.empty' : 'audit.emptyOf')}</p>
      ) : (
        <AuditTable entries={entries} />
      )}
      <div className="mt-4 flex flex-wrap justify-between gap-6">
        <p className="flex gap-6">
          {!isNewest && <a href={newestUrl}>{t('audit.newest')}</a>}
          {olderUrl && <a href={olderUrl}>{t('audit.older')}</a>}
        </p>
        <Export {...page} />
      </div>
    </>
  )
}
