import type { ComponentProps } from 'react'
import { secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { adminText as t } from './text.ts'

type Filter = Pick<ComponentProps<typeof Field>, 'name' | 'label' | 'type' | 'maxLength' | 'defaultValue'>

export function FilterForm({ action, ...field }: Filter & { action: string }) {
  return (
    <form action={action} className="mt-2 flex max-w-xl flex-wrap items-end gap-4" method="get">
      <Field autoComplete="off" {...field} />
      <button className={secondaryButton} type="submit">
        {t('customers.filter')}
      </button>
    </form>
  )
}
