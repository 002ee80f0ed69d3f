import type { Metadata } from 'next'
import { type AdminKey, adminText as t } from '@/components/admin/text.ts'

/** The title of a page, as the browser shows it with its mode and the name of the area. */
export const titled = (key: AdminKey): Metadata => ({ title: t(key) })

/** The same around it, for the pages below a layout. */
export const titlesBelow = (...words: readonly string[]): Metadata => ({
  title: { default: words.join(' · '), template: `%s · ${words.join(' · ')}` },
})
