/** Puts the language of a form into the form: the response may have to be made while its record is unavailable. */
export function FormLanguage({ locale }: { locale: string }) {
  return <input name="lang" type="hidden" value={locale} />
}
