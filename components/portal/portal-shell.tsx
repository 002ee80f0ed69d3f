import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { linkButton } from '@/components/ui/button.ts'
import { SellerFooter } from '@/components/ui/seller-footer.tsx'
import { ShopName } from '@/components/ui/shop-name.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { PortalFrame } from '@/lib/modules/portal/page.ts'
import { LanguageForm } from './language-form.tsx'

export function PortalShell({ frame, children }: { frame: PortalFrame; children: ReactNode }) {
  const t = useTranslations()
  const { locale, storefrontName: shop } = frame
  return (
    <>
      {frame.testmode && <TestBand />}
      <div className="mx-auto max-w-3xl px-5 pt-6 pb-12 hand:pt-10">
        <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <ShopName name={shop} />
          <div className="flex flex-wrap items-center gap-x-4 text-note">
            <span className="text-soft">{t('portal.signedInAs', { email: frame.email })}</span>
            <a className={linkButton} href="/portal/email">
              {t('portal.email.open')}
            </a>
            <form action="/portal/sign-out" method="post">
              <button className={linkButton} type="submit">
                {t('portal.signOut')}
              </button>
            </form>
          </div>
        </header>
        <main className="mt-6 hand:mt-10">{children}</main>
        <SellerFooter
          locale={locale}
          privacyUrl={frame.privacyUrl}
          seller={frame.seller}
          shop={shop}
          termsUrl={frame.termsUrl}
        >
          {frame.statementName && <p>{t('common.onStatement', { name: frame.statementName })}</p>}
          <div className="flex flex-wrap items-end justify-between gap-4">
            <LanguageForm locale={locale} />
            {frame.returnUrl && (
              <a href={frame.returnUrl} rel="noreferrer">
                {t('common.backToShop', { shop })}
              </a>
            )}
          </div>
        </SellerFooter>
      </div>
    </>
  )
}
