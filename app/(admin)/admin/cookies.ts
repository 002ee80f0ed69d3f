import { headers } from 'next/headers'
import { setAdminLocale } from '@/components/admin/text.ts'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
import { isStorableText } from '@/lib/kernel/text.ts'
import { languageHeader } from './language-header.ts'

/** Sets the language of the texts of this request, and returns it. */
export async function chooseLanguage(): Promise<Locale> {
  const language = (await headers()).get(languageHeader)
  const locale = locales.find((each) => each === language) ?? 'en'
  setAdminLocale(locale)
  return locale
}

/** The cookies of the current request. Also sets the language, because a page reads cookies before its first text. */
export async function cookiesOf(): Promise<string | null> {
  await chooseLanguage()
  return (await headers()).get('cookie')
}

/** The parameters of a query. */
export type Query = Promise<Record<string, string | string[] | undefined>>

/** The first value of a parameter. Null for values that PostgreSQL cannot search for, such as NUL. */
export function first(value: string | string[] | undefined): string | null {
  const [text] = Array.isArray(value) ? value : [value]
  return text !== undefined && isStorableText(text, { multiline: true }) ? text : null
}

/** The parameters of a list: the first value of each cursor and filter. */
export const listParameters = async (query: Query): Promise<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(await query).map(([name, value]) => [name, first(value)]))

/** The result of a form, from the address of the page. */
export async function formResultOf(query: Query): Promise<{ done: string | null; failed: string | null }> {
  const { done, failed } = await query
  return { done: first(done), failed: first(failed) }
}

/** The start of the path of a storefront's pages. */
export const pathOf = ({ mode, storefrontId }: { mode: string; storefrontId: string }): string =>
  `/admin/${encodeURIComponent(mode)}/${encodeURIComponent(storefrontId)}`
