/** The form sends its language, because the response may have to be written without access to the database. */
export function FormLanguage({ locale }: { locale: string }) {
  return <input name="lang" type="hidden" value={locale} />
}
