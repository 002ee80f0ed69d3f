import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { PasskeyForm } from './passkey-form.tsx'
import { Refused } from './refused.tsx'
import { adminText as t } from './text.ts'

/** The first step of a log-in. With a passkey it is the only step. */
export function SignIn({
  state,
  typed = '',
  passkey,
  to = null,
}: {
  state: 'refused' | 'passkey-refused' | 'busy' | 'signed-out' | 'password-set' | null
  typed?: string
  passkey: object
  to?: string | null
}) {
  const said = {
    refused: t('signIn.refused'),
    'passkey-refused': t('signIn.passkeyRefused'),
    busy: t('signIn.busy'),
    'signed-out': t('signIn.signedOut'),
    'password-set': t('signIn.passwordSet'),
  }
  const isProblem = state === 'refused' || state === 'passkey-refused' || state === 'busy'
  const wanted = to && <input name="to" type="hidden" value={to} />
  return (
    <StatePage icon="lock" shop={t('title')} title={t('signIn.heading')} tone="plain">
      {state && (isProblem ? <Refused>{said[state]}</Refused> : <p role="status">{said[state]}</p>)}
      <form action="/admin/sign-in/submit" className="grid gap-4" method="post">
        {wanted}
        <Field
          autoComplete="username"
          defaultValue={typed}
          label={t('signIn.email')}
          maxLength={254}
          name="email"
          required
          type="email"
        />
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
      {/* Reserves the space of the button, which a script adds. */}
      <div className="min-h-12 noscript:hidden">
        <PasskeyForm
          ceremony={{ kind: 'get', options: passkey as PublicKeyCredentialRequestOptionsJSON }}
          className={secondaryButton}
          path="/admin/sign-in/passkey/submit"
          texts={{ action: t('signIn.passkey'), failed: t('signIn.passkeyFailed') }}
        >
          {wanted}
        </PasskeyForm>
      </div>
      <p>
        <a href="/admin/password">{t('signIn.forgotten')}</a>
      </p>
    </StatePage>
  )
}
