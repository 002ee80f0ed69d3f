import { createTranslator } from 'next-intl'
import admin from '@/messages/admin/en.json'
import { chargebackReasons, problems } from '@/messages/en.json'

/** Includes some texts of hosted pages and emails: two of the error summary, and the reasons of disputes. */
const en = { ...admin, problems: { heading: problems.heading, listed: problems.listed }, chargebackReasons }

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
