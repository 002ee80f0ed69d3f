import { useTranslations } from 'next-intl'
import type { PortalDocumentsPage } from '@/lib/modules/portal/page.ts'
import { BackLink } from './back-link.tsx'
import { DocumentTable } from './document-table.tsx'

/** All invoices and credit notes, by page. */
export function PortalDocuments({ page }: { page: PortalDocumentsPage }) {
  const t = useTranslations('portal.documents')
  const { documents, olderUrl, newestUrl } = page
  return (
    <>
      <BackLink href="/portal" />
      <h1 className="mt-2 font-semibold text-title tracking-tight">{t('heading')}</h1>
      {documents.length === 0 ? (
        <p className="mt-4 text-soft">{t('none')}</p>
      ) : (
        <>
          <p className="mt-3">
            <a download href={page.zipUrl}>
              {t('zip')}
            </a>
          </p>
          <div className="mt-4">
            <DocumentTable documents={documents} label={t('heading')} locale={page.locale} />
          </div>
        </>
      )}
      <p className="mt-4 flex gap-6">
        {newestUrl && <a href={newestUrl}>{t('newest')}</a>}
        {olderUrl && <a href={olderUrl}>{t('older')}</a>}
      </p>
    </>
  )
}
