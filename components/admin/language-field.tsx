import { SelectField } from '@/components/ui/field.tsx'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
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
          {ownName(locale)}
        </option>
      ))}
    </SelectField>
  )
}

function nameOf(locale: string, inLocale: Locale): string {
  const name = new Intl.DisplayNames(inLocale, { type: 'language' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(inLocale) + name.slice(1)
}

const ownName = (locale: Locale) => nameOf(locale, locale)

export const languageName = (locale: string) => nameOf(locale, adminLocale())
