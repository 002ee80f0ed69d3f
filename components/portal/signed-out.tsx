import { useTranslations } from 'next-intl'
import { primaryButton } from '@/components/ui/button.ts'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { PortalEnded } from '@/lib/modules/portal/page.ts'

export function SignedOut({ page }: { page: PortalEnded }) {
  const t = useTranslations('portal.ended')
  return (
    <>
      {page.testmode && <TestBand />}
      <StatePage
        actions={
          <a className={primaryButton} href={page.signInUrl}>
            {t('action')}
          </a>
        }
        icon="clock"
        shop={page.storefrontName}
        title={t('heading')}
        tone="plain"
      >
        <p>{t('text')}</p>
      </StatePage>
    </>
  )
}
