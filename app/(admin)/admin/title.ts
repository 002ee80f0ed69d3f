import type { Metadata } from 'next'
import { type AdminKey, adminText as t } from '@/components/admin/text.ts'
import { chooseLanguage } from './cookies.ts'

/** The title of a page. The browser shows it with the mode and the name of the area. */
export const titled = (key: AdminKey) => async (): Promise<Metadata> => {
  await chooseLanguage()
  return { title: t(key) }
}

/** The title template for pages below a layout. */
export const titlesBelow = (...words: readonly string[]): Metadata => ({
  title: { default: words.join(' · '), template: `%s · ${words.join(' · ')}` },
})
