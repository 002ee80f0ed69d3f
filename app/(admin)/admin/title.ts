import type { Metadata } from 'next'
import { type AdminKey, adminText as t } from '@/components/admin/text.ts'
import { chooseLanguage } from './cookies.ts'

export const titled = (key: AdminKey) => async (): Promise<Metadata> => {
  await chooseLanguage()
  return { title: t(key) }
}

export const titlesBelow = (...words: readonly string[]): Metadata => ({
  title: { default: words.join(' · '), template: `%s · ${words.join(' · ')}` },
})
