import { Field } from '@/components/ui/field.tsx'
import { Refused } from './refused.tsx'
import { adminText as t } from './text.ts'

/** Password managers store the new password under the email address, so the form contains the address. */
export const NewPasswordField = ({
  email,
  label,
  problem,
}: {
  email: string
  label: string
  problem: string | null
}) => (
  <>
    {problem === 'busy' && <Refused>{t('invitation.busy')}</Refused>}
    <input autoComplete="username" name="email" type="hidden" value={email} />
    <Field
      autoComplete="new-password"
      autoFocus={problem === 'password'}
      error={problem === 'password' ? t('invitation.passwordProblem') : undefined}
      hint={t('invitation.passwordHint')}
      label={label}
      maxLength={200}
      minLength={12}
      name="password"
      required
      type="password"
    />
  </>
)
