import { day } from '@/components/format.ts'
import type { AuditRow } from '@/lib/modules/audit/page.ts'
import { AuditTable } from './audit-table.tsx'
import { adminLocale, adminText as t } from './text.ts'

/** The work that waits for an operator, and the latest actions. */
export function Overview({
  page: { reviews, oldestAt, entries },
}: {
  page: { reviews: number; oldestAt: string | null; entries: AuditRow[] }
}) {
  return (
    <>
      <h1 className="font-semibold text-title tracking-tight">{t('overview.heading')}</h1>
      <section className="mt-6 rounded-box border border-line bg-paper p-5">
        <p className="font-semibold text-lead">{t('overview.reviewsWaiting', { count: reviews })}</p>
        {oldestAt && <p className="text-soft">{t('overview.oldest', { date: day(oldestAt, adminLocale()) })}</p>}
        <p className="mt-2">
          <a href="/admin/reviews">{t('overview.openReviews')}</a>
        </p>
      </section>
      <section aria-labelledby="changes" className="mt-8">
        <h2 className="font-semibold text-lead" id="changes">
          {t('overview.lastChanges')}
        </h2>
        {entries.length === 0 ? (
          <p className="mt-2 text-soft">{t('overview.noChanges')}</p>
        ) : (
          <AuditTable entries={entries} />
        )}
      </section>
    </>
  )
}
