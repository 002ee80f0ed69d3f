/** Adds the language to a form, because the response may be written while the record is unavailable. */
export function FormLanguage({ locale }: { locale: string }) {
  return <input name="lang" type="hidden" value={locale} />
}
