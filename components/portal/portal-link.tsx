import { useTranslations } from 'next-intl'
import { primaryButton } from '@/components/ui/button.ts'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { PortalLinkPage } from '@/lib/modules/portal/page.ts'

const icons = { usable: 'done', used: 'closed', expired: 'clock' } as const

/** The page of an emailed link: a button that starts the session, or a button that requests a new link. */
export function PortalLink({ page, cancels = false }: { page: PortalLinkPage; cancels?: boolean }) {
  const t = useTranslations('portal.link')
  const { state, maskedEmail: email, storefrontName: shop } = page
  const isUsable = state === 'usable'
  return (
    <>
      {page.testmode && <TestBand />}
      <StatePage
        actions={
          <form action={page.submitUrl} method="post">
            <FormLanguage locale={page.locale} />
            {cancels && <input name="cancel" type="hidden" value="yes" />}
            <button className={primaryButton} name="intent" type="submit" value={isUsable ? 'open' : 'email'}>
              {isUsable ? t('usable.action') : t('again')}
            </button>
          </form>
        }
        icon={icons[state]}
        shop={shop}
        title={t(`${state}.heading`)}
        tone={isUsable ? 'done' : 'plain'}
      >
        <p>{t(`${state}.text`, { email, shop })}</p>
      </StatePage>
    </>
  )
}
