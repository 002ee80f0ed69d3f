/** Says the language of a form in it: it may have to be answered when the record that knows it is out of reach. */
export function FormLanguage({ locale }: { locale: string }) {
  return <input name="lang" type="hidden" value={locale} />
}
