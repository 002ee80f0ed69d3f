import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { countryName } from '@/components/format.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { SellerView } from '@/lib/modules/checkouts/page.ts'
import { SupportLinks } from './brand.tsx'

interface SellerFooterProps {
  seller: SellerView
  shop: string
  termsUrl: string | null
  privacyUrl: string | null
  locale: Locale
  children?: ReactNode
}

export function SellerFooter({ seller, shop, termsUrl, privacyUrl, locale, children }: SellerFooterProps) {
  const t = useTranslations()
  return (
    <footer className="mt-8 grid gap-3 border-line border-t pt-6 text-note text-soft">
      {children}
      <SupportLinks page={t('common.support.page')} question={t('common.support.question')} />
      <p>{t('checkout.about.seller', { seller: seller.name, shop })}</p>
      <address className="not-italic">
        {[
          seller.name,
          ...seller.addressLines,
          countryName(seller.country, locale),
          ...(seller.vatId ? [t('common.sellerVatId', { vatId: seller.vatId })] : []),
        ].join(' · ')}
        {seller.email && (
          <>
            {' · '}
            <a href={`mailto:${seller.email}`}>{seller.email}</a>
          </>
        )}
      </address>
      {(termsUrl || privacyUrl) && (
        <p className="flex gap-5">
          {termsUrl && <a href={termsUrl}>{t('checkout.about.terms')}</a>}
          {privacyUrl && <a href={privacyUrl}>{t('checkout.about.privacy')}</a>}
        </p>
      )}
    </footer>
  )
}
