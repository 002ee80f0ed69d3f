import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { SellerFooter } from '@/components/ui/seller-footer.tsx'
import type { HostedPage } from '@/lib/modules/checkouts/page.ts'

export function About({ page, recurring, children }: { page: HostedPage; recurring: boolean; children?: ReactNode }) {
  const t = useTranslations()
  const { seller, storefrontName: shop, termsUrl, privacyUrl, locale } = page
  return (
    <SellerFooter locale={locale} privacyUrl={privacyUrl} seller={seller} shop={shop} termsUrl={termsUrl}>
      {recurring && <p>{t('checkout.about.howToCancel', { shop })}</p>}
      {children}
    </SellerFooter>
  )
}
