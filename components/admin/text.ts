import { createTranslator } from 'next-intl'
import admin from '@/messages/admin/en.json'
import { problems } from '@/messages/en.json'

/** With the two texts of an error summary, which the hosted pages have as well. */
const en = { ...admin, problems: { heading: problems.heading, listed: problems.listed } }

/** The texts of the admin area, which is in English. A missing text is an error. */
export const adminText = createTranslator({
  locale: 'en',
  messages: en as unknown as Record<string, never>,
  timeZone: 'UTC',
  onError(error) {
    throw error
  },
}) as unknown as (key: AdminKey, values?: Record<string, string | number>) => string

type Keys<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Key : `${Key}.${Keys<Texts[Key]>}`
}[keyof Texts & string]

export type AdminKey = Keys<typeof en>
