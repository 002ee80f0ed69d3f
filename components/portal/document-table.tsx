import { useTranslations } from 'next-intl'
import { day, money } from '@/components/format.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { PortalDocument, PortalDocuments } from '@/lib/modules/portal/page.ts'

/** Links are at least 24 px high (WCAG 2.2, target size). */
const link = 'inline-block cursor-pointer text-accent underline underline-offset-2 hover:text-accent-deep'

export const DocumentList = ({ page, label }: { page: PortalDocuments & { locale: Locale }; label: string }) => (
  <>
    <DocumentTable documents={page.documents} label={label} locale={page.locale} submitUrl={page.documentsSubmitUrl} />
    <ZipLink url={page.zipUrl} />
  </>
)

function ZipLink({ url }: { url: string | null }) {
  const t = useTranslations('portal.documents')
  if (!url) return null
  return (
    <p className="mt-3">
      <a download href={url}>
        {t('zip')}
      </a>
    </p>
  )
}

interface TableProps {
  documents: readonly PortalDocument[]
  label: string
  locale: Locale
  submitUrl: string
}

/** On a phone, each document takes two lines: its name, and its date and amount. */
function DocumentTable({ documents, label, locale, submitUrl }: TableProps) {
  const t = useTranslations()
  return (
    <table aria-label={label} className="w-full border-line border-t text-note">
      <thead className="max-hand:sr-only">
        <tr className="border-line border-b text-start text-soft">
          <th className="py-2 pe-4 text-start font-medium">{t('portal.documents.number')}</th>
          <th className="py-2 pe-4 text-start font-medium">{t('portal.documents.date')}</th>
          <th className="py-2 pe-4 text-end font-medium">{t('portal.documents.total')}</th>
          <th className="py-2 text-end font-medium">
            <span className="sr-only">{t('portal.documents.pdf')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {documents.map(({ id, kind, number, issuedAt, description, total, url, pdfUrl, xmlUrl, isCorrectable }) => (
          <tr
            className="border-line border-b align-top max-hand:grid max-hand:grid-cols-[minmax(0,1fr)_auto]"
            key={number}
          >
            <th className="wrap-anywhere py-2 pe-4 text-start font-normal" scope="row">
              <a className={`py-0.5 ${link}`} href={url}>
                {t(kind === 'invoice' ? 'invoice.title' : 'invoice.creditNote.title', { number })}
              </a>
              <span className="block text-soft">{description}</span>
              {isCorrectable && (
                <form action={submitUrl} method="post">
                  <button
                    aria-label={t('portal.documents.correctOf', { number })}
                    className={`min-h-6 ${link}`}
                    name="order"
                    type="submit"
                    value={id}
                  >
                    {t('portal.documents.correct')}
                  </button>
                </form>
              )}
            </th>
            <td className="py-2 pe-4 max-hand:row-start-2 max-hand:pt-0">{day(issuedAt, locale)}</td>
            <td className="whitespace-nowrap py-2 pe-4 text-end max-hand:pe-0">{money(total, locale)}</td>
            <td className="py-2 text-end max-hand:row-start-2 max-hand:pt-0">
              <a
                aria-label={t('portal.documents.pdfOf', { number })}
                className={`min-w-6 py-0.5 ${link}`}
                href={pdfUrl}
              >
                {t('portal.documents.pdf')}
              </a>
              {xmlUrl && (
                <a
                  aria-label={t('portal.documents.xmlOf', { number })}
                  className={`ms-3 min-w-6 py-0.5 ${link}`}
                  href={xmlUrl}
                >
                  {t('portal.documents.xml')}
                </a>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
