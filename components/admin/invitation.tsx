import { primaryButton } from '@/components/ui/button.ts'
import { StatePage } from '@/components/ui/state-page.tsx'
import type { InvitationPage } from '@/lib/modules/operators/page.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { adminText as t } from './text.ts'

export function Invitation({
  page,
  problem,
  submitUrl,
}: {
  page: InvitationPage
  problem: string | null
  submitUrl: string
}) {
  if (page.state !== 'open')
    return (
      <StatePage icon="lock" shop={t('title')} title={t('invitation.over')} tone="plain">
        <p>
          {page.state === 'taken'
            ? t('invitation.takenText', { email: page.email, merchant: page.merchant })
            : t('invitation.overText')}
        </p>
        <p>
          <a href="/admin/sign-in">{t('invitation.signIn')}</a>
        </p>
      </StatePage>
    )
  const { merchant, email, role } = page
  return (
    <StatePage icon="lock" shop={t('title')} title={t('invitation.heading', { merchant })} tone="plain">
      <p>{t('invitation.text', { email, role: t(`members.roleNames.${role}`) })}</p>
      <form action={submitUrl} className="grid gap-4" method="post">
        <NewPasswordField email={email} label={t('invitation.password')} problem={problem} />
        <button className={primaryButton} type="submit">
          {t('invitation.action')}
        </button>
      </form>
    </StatePage>
  )
}
