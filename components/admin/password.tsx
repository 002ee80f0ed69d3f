import { primaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import type { PasswordPage } from '@/lib/modules/operators/page.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { adminText as t } from './text.ts'

export function ForgottenPassword({
  isSent,
  problem,
  typed = '',
}: {
  isSent: boolean
  problem: string | null
  typed?: string
}) {
  const heading = isSent ? 'password.sentHeading' : 'password.forgottenHeading'
  return (
    <StatePage icon="lock" shop={t('title')} title={t(heading)} tone="plain">
      <p role={isSent ? 'status' : undefined}>{t(isSent ? 'password.sentText' : 'password.forgottenText')}</p>
      {!isSent && (
        <form action="/admin/password/submit" className="grid gap-4" method="post">
          <Field
            autoComplete="username"
            autoFocus={problem === 'email'}
            defaultValue={typed}
            error={problem === 'email' ? t('password.emailProblem') : undefined}
            label={t('password.email')}
            maxLength={254}
            name="email"
            required
            type="email"
          />
          <button className={primaryButton} type="submit">
            {t('password.send')}
          </button>
        </form>
      )}
      <p>
        <a href="/admin/sign-in">{t('invitation.signIn')}</a>
      </p>
    </StatePage>
  )
}

export function NewPassword({
  page,
  problem,
  submitUrl,
}: {
  page: PasswordPage
  problem: string | null
  submitUrl: string
}) {
  if (page.state === 'over')
    return (
      <StatePage icon="lock" shop={t('title')} title={t('password.over')} tone="plain">
        <p>{t('password.overText')}</p>
        <p>
          <a href="/admin/password">{t('password.again')}</a>
        </p>
      </StatePage>
    )
  return (
    <StatePage icon="lock" shop={t('title')} title={t('password.heading')} tone="plain">
      <p>{t('password.text')}</p>
      <form action={submitUrl} className="grid gap-4" method="post">
        <NewPasswordField email={page.email} label={t('password.password')} problem={problem} />
        <button className={primaryButton} type="submit">
          {t('password.action')}
        </button>
      </form>
    </StatePage>
  )
}
