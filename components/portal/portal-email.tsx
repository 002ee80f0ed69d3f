import { useTranslations } from 'next-intl'
import { primaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { LocalTime } from '@/components/ui/local-time.tsx'
import type { PortalEmailPage } from '@/lib/modules/portal/page.ts'
import { BackLink } from './back-link.tsx'
import { PortalNotice } from './portal-notice.tsx'

export function PortalEmail({ page, notice }: { page: PortalEmailPage; notice: string | null }) {
  const t = useTranslations('portal.email')
  const { waiting, problem, locale, storefrontName: shop } = page
  return (
    <>
      <PortalNotice notice={waiting ? notice : null} />
      <BackLink href="/portal" />
      <h1 className="mt-2 font-semibold text-title tracking-tight">{t('heading')}</h1>
      <p className="mt-3">{t('text', { shop, email: page.email })}</p>
      {waiting && (
        <div className="mt-4 grid max-w-lg gap-2 rounded-box border border-line bg-paper p-4">
          <p>
            {t.rich('waiting', {
              email: waiting.email,
              date: () => <LocalTime locale={locale} moment={waiting.until} />,
            })}
          </p>
          <p className="text-note text-soft">{t('noEmail', { shop })}</p>
        </div>
      )}
      <form action={page.submitUrl} className="mt-6 grid max-w-lg gap-4" method="post">
        <Field
          autoComplete="email"
          autoFocus={problem !== null}
          defaultValue={page.typed}
          error={problem ? t(`problems.${problem}`) : undefined}
          inputMode="email"
          label={t('label')}
          maxLength={254}
          name="email"
          required
          type="email"
        />
        <button className={primaryButton} type="submit">
          {t('action')}
        </button>
      </form>
    </>
  )
}
