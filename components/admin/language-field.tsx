import { SelectField } from '@/components/ui/field.tsx'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
import { adminText as t } from './text.ts'

interface LanguageFieldProps {
  defaultValue: string
  hint?: string
  error?: string | undefined
}

/** The language of the emails to a person, by its own name. */
export function LanguageField({ defaultValue, hint, error }: LanguageFieldProps) {
  return (
    <SelectField defaultValue={defaultValue} error={error} hint={hint} label={t('language')} name="language">
      {locales.map((locale) => (
        <option key={locale} lang={locale} value={locale}>
          {ownName(locale)}
        </option>
      ))}
    </SelectField>
  )
}

function ownName(locale: Locale): string {
  const name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
