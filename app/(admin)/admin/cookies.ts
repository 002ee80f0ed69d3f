import { headers } from 'next/headers'
import { setAdminLocale } from '@/components/admin/text.ts'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
import { isStorableText } from '@/lib/kernel/text.ts'
import { languageHeader } from './language-header.ts'

export async function chooseLanguage(): Promise<Locale> {
  const language = (await headers()).get(languageHeader)
  const locale = locales.find((each) => each === language) ?? 'en'
  setAdminLocale(locale)
  return locale
}

/** Returns the cookies of the request, and sets the language of the page. Every page calls this function before it renders any text. */
export async function cookiesOf(): Promise<string | null> {
  await chooseLanguage()
  return (await headers()).get('cookie')
}

export type Query = Promise<Record<string, string | string[] | undefined>>

/** The first value of a parameter. Null if the parameter is absent or contains a character that PostgreSQL cannot store, such as NUL. */
export function first(value: string | string[] | undefined): string | null {
  const [text] = Array.isArray(value) ? value : [value]
  return text !== undefined && isStorableText(text, { multiline: true }) ? text : null
}

export const listParameters = async (query: Query): Promise<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(await query).map(([name, value]) => [name, first(value)]))

export async function formResultOf(query: Query): Promise<{ done: string | null; failed: string | null }> {
  const { done, failed } = await query
  return { done: first(done), failed: first(failed) }
}

export const pathOf = ({ mode, storefrontId }: { mode: string; storefrontId: string }): string =>
  `/admin/${encodeURIComponent(mode)}/${encodeURIComponent(storefrontId)}`
