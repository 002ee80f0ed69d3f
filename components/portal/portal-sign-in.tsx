import { useTranslations } from 'next-intl'
import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { PortalSignInPage } from '@/lib/modules/portal/page.ts'

/**
 * The form that requests a link to the portal. The response is the same for every email address, so that it does not
 * reveal who is a customer. The cancellation button needs no session and is always available (in Germany: BGB, section
 * 312k(2)). The form that this button opens has no such button. `cancels` is true after the customer has pressed the
 * button.
 */
export function PortalSignIn({
  page,
  state,
  cancels = false,
}: {
  page: PortalSignInPage
  state: 'form' | 'invalid' | 'sent' | 'signed-out'
  cancels?: boolean
}) {
  const t = useTranslations('portal')
  const { storefrontName: shop } = page
  const isSent = state === 'sent'
  const isCancelForm = cancels && !isSent && state !== 'signed-out'
  const headings = { sent: t('sent.heading'), 'signed-out': t('ended.heading') } as const
  const heading = cancels ? t('signIn.cancel.open') : t('signIn.heading', { shop })
  const text = cancels ? t('signIn.cancel.text') : t('signIn.text')
  return (
    <>
      {page.testmode && <TestBand />}
      <StatePage
        icon={isSent ? 'done' : 'mail'}
        shop={shop}
        title={state === 'sent' || state === 'signed-out' ? headings[state] : heading}
        tone={isSent ? 'done' : 'plain'}
      >
        <p>{isSent ? t('sent.text', { shop }) : text}</p>
        {isSent && <p className="text-soft">{t('sent.again')}</p>}
        <form action={page.submitUrl} className="mt-3 grid gap-4" method="post">
          <FormLanguage locale={page.locale} />
          {cancels && <input name="cancel" type="hidden" value="yes" />}
          <Field
            autoComplete="email"
            autoFocus={state === 'invalid'}
            defaultValue={page.typed}
            error={state === 'invalid' ? t('signIn.invalid') : undefined}
            inputMode="email"
            label={t('signIn.email')}
            maxLength={254}
            name="email"
            required
            type="email"
          />
          <button className={primaryButton} type="submit">
            {t('signIn.action')}
          </button>
        </form>
        {!isCancelForm && (
          <a className={secondaryButton} href="?cancel">
            {t('signIn.cancel.open')}
          </a>
        )}
      </StatePage>
    </>
  )
}
