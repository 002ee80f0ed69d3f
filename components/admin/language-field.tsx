import { languageName as nameIn } from '@/components/format.ts'
import { SelectField } from '@/components/ui/field.tsx'
import { locales } from '@/lib/kernel/locale.ts'
import { adminLocale, adminText as t } from './text.ts'

interface LanguageFieldProps {
  defaultValue: string
  hint?: string
  error?: string | undefined
}

export function LanguageField({ defaultValue, hint, error }: LanguageFieldProps) {
  return (
    <SelectField defaultValue={defaultValue} error={error} hint={hint} label={t('language')} name="language">
      {locales.map((locale) => (
        <option key={locale} lang={locale} value={locale}>
          {nameIn(locale, locale)}
        </option>
      ))}
    </SelectField>
  )
}

export const languageName = (locale: string) => nameIn(locale, adminLocale())
