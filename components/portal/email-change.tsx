import { useTranslations } from 'next-intl'
import { primaryButton } from '@/components/ui/button.ts'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { PortalEmailChangePage } from '@/lib/modules/portal/page.ts'

const icons = { usable: 'mail', confirmed: 'done', over: 'clock', taken: 'closed' } as const

/** The page of the link that confirms a new email address. */
export function EmailChange({ page }: { page: PortalEmailChangePage }) {
  const t = useTranslations('portal.email.confirm')
  const { state, maskedEmail: email, storefrontName: shop } = page
  return (
    <>
      {page.testmode && <TestBand />}
      <StatePage
        actions={
          state === 'usable' ? (
            <form action={page.submitUrl} method="post">
              <FormLanguage locale={page.locale} />
              <button className={primaryButton} type="submit">
                {t('usable.action')}
              </button>
            </form>
          ) : (
            <a className={primaryButton} href={page.portalUrl}>
              {t('purchases')}
            </a>
          )
        }
        icon={icons[state]}
        shop={shop}
        title={t(`${state}.heading`)}
        tone={state === 'confirmed' ? 'done' : 'plain'}
      >
        <p>{t(`${state}.text`, { email, shop })}</p>
      </StatePage>
    </>
  )
}
