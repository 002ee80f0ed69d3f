import { Field } from '@/components/ui/field.tsx'
import { adminText as t } from './text.ts'

interface Props {
  error: string | undefined
  hint: string
  /** The id of the field, if a page has several. */
  id?: string
}

/** The field for a code of the second factor, which confirms an action that moves money or gives access. */
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
