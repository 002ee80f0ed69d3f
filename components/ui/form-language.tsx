/** The form sends its language, because the record of the page may be unavailable when the response is written. */
export function FormLanguage({ locale }: { locale: string }) {
  return <input name="lang" type="hidden" value={locale} />
}
