import { useTranslations } from 'next-intl'
import type { PortalDocumentsPage } from '@/lib/modules/portal/page.ts'
import { BackLink } from './back-link.tsx'
import { DocumentList } from './document-table.tsx'

export function PortalDocuments({ page }: { page: PortalDocumentsPage }) {
  const t = useTranslations('portal.documents')
  const { documents, subscription, olderUrl, newestUrl } = page
  const heading = subscription ? t('headingOf', { name: subscription.name }) : t('heading')
  return (
    <>
      <BackLink href={subscription?.url ?? '/portal'} />
      <h1 className="mt-2 font-semibold text-title tracking-tight">{heading}</h1>
      {documents.length === 0 ? (
        <p className="mt-4 text-soft">{t('none')}</p>
      ) : (
        <div className="mt-4">
          <DocumentList label={heading} page={page} />
        </div>
      )}
      <p className="mt-4 flex gap-6">
        {newestUrl && <a href={newestUrl}>{t('newest')}</a>}
        {olderUrl && <a href={olderUrl}>{t('older')}</a>}
      </p>
    </>
  )
}
