import { Field } from '@/components/ui/field.tsx'
import { adminText as t } from './text.ts'

interface Props {
  error: string | undefined
  hint: string
  id?: string
}

export const CodeField = ({ error, hint, id }: Props) => (
  <Field
    {...(id !== undefined && { id })}
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
