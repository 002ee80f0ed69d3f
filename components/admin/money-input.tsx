import type { ComponentProps } from 'react'
import { Field } from '@/components/ui/field.tsx'
import { amountInInput } from '@/lib/kernel/typed-amount.ts'
import { adminLocale } from './text.ts'

/** A default amount is formatted for the reader's language. The form accepts this format. */
export const MoneyInput = ({
  defaultValue,
  ...field
}: ComponentProps<typeof Field> & { defaultValue?: string | undefined }) => (
  <Field
    autoComplete="off"
    inputMode="decimal"
    maxLength={20}
    {...field}
    defaultValue={defaultValue === undefined ? undefined : amountInInput(defaultValue, adminLocale())}
  />
)
