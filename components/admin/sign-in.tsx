import { primaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { adminText as t } from './text.ts'

/** The first half of a log-in. */
export function SignIn({ state }: { state: 'refused' | 'busy' | 'signed-out' | 'password-set' | null }) {
  const said = {
    refused: t('signIn.refused'),
    busy: t('signIn.busy'),
    'signed-out': t('signIn.signedOut'),
    'password-set': t('signIn.passwordSet'),
  }
  const isProblem = state === 'refused' || state === 'busy'
  return (
    <StatePage icon="lock" shop={t('title')} title={t('signIn.heading')} tone="plain">
      {state && (
        <p className={isProblem ? 'text-wrong' : ''} role={isProblem ? 'alert' : 'status'}>
          {said[state]}
        </p>
      )}
      <form action="/admin/sign-in/submit" className="grid gap-4" method="post">
        <Field autoComplete="username" label={t('signIn.email')} maxLength={254} name="email" required type="email" />
        <Field
          autoComplete="current-password"
          label={t('signIn.password')}
          maxLength={200}
          name="password"
          required
          type="password"
        />
        <button className={primaryButton} type="submit">
          {t('signIn.action')}
        </button>
      </form>
      <p>
        <a href="/admin/password">{t('signIn.forgotten')}</a>
      </p>
    </StatePage>
  )
}
