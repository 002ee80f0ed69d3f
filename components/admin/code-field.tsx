import { Field } from '@/components/ui/field.tsx'
import { adminText as t } from './text.ts'

/** A code of the second factor, with which somebody confirms that money may leave or change its way. */
export const CodeField = ({ error, hint }: { error: string | undefined; hint: string }) => (
  <Field
    autoComplete="one-time-code"
    error={error}
    hint={hint}
    inputMode="numeric"
    label={t('secondFactor.code')}
    maxLength={30}
    name="code"
    required
  />
)
