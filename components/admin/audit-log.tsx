import type { AuditPage } from '@/lib/modules/audit/page.ts'
import { AuditTable } from './audit-table.tsx'
import { Export } from './data-table.tsx'
import { FilterForm } from './filter-form.tsx'
import { Id } from './id.tsx'
import { adminText as t } from './text.ts'

export function AuditLog({ page }: { page: AuditPage }) {
  const { entries, end, subject, isNewest, newestUrl, olderUrl } = page
  return (
    <>
      <h1 className="font-semibold text-title tracking-tight">{t('audit.heading')}</h1>
      <p className="mt-1 text-soft">{t('audit.text')}</p>
      {end && <End {...end} />}
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

/** Shows the last entry of the log, so that staff can compare the entry with a copy stored elsewhere. */
const End = ({ last, isConfirmed }: NonNullable<AuditPage['end']>) => (
  <section aria-labelledby="end" className="mt-4 max-w-3xl rounded-box border border-line bg-paper p-4">
    <h2 className="font-semibold" id="end">
      {t('audit.end')}
    </h2>
    <p className="mt-1">
      <Id id={last} />
    </p>
    {isConfirmed ? (
      <p className="mt-1 text-note text-soft">{t('audit.endText')}</p>
    ) : (
      <p className="mt-1 text-wrong" role="alert">
        {t('audit.endUnconfirmed')}
      </p>
    )}
  </section>
)
