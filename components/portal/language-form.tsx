import { useTranslations } from 'next-intl'
import { languageName } from '@/components/format.ts'
import { secondaryButton } from '@/components/ui/button.ts'
import { SelectField } from '@/components/ui/field.tsx'
import { type Locale, locales } from '@/lib/kernel/locale.ts'

export function LanguageForm({ locale }: { locale: Locale }) {
  const t = useTranslations('portal.language')
  return (
    <form action="/portal/language" className="flex items-end gap-2 text-body text-ink" method="post">
      <SelectField defaultValue={locale} label={t('label')} name="locale">
        {locales.map((each) => (
          <option key={each} lang={each} value={each}>
            {languageName(each, each)}
          </option>
        ))}
      </SelectField>
      <button className={secondaryButton} type="submit">
        {t('save')}
      </button>
    </form>
  )
}
