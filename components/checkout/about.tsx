import { useTranslations } from 'next-intl'
import { countryName } from '@/components/format.ts'
import type { CheckoutPage } from '@/lib/checkouts/page.ts'

/** Who sells, how to cancel, and the small print, under the button. */
export function About({ page, recurring }: { page: CheckoutPage; recurring: boolean }) {
  const t = useTranslations()
  const { seller, storefrontName: shop, termsUrl, privacyUrl } = page
  return (
    <footer className="mt-8 grid gap-3 border-line border-t pt-6 text-note text-soft">
      {recurring && <p>{t('checkout.about.howToCancel', { shop })}</p>}
      <p>{t('checkout.about.seller', { seller: seller.name, shop })}</p>
      <address className="not-italic">
        {[
          seller.name,
          ...seller.addressLines,
          countryName(seller.country, page.locale),
          ...(seller.vatId ? [t('common.sellerVatId', { vatId: seller.vatId })] : []),
        ].join(' · ')}
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
