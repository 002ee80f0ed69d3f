import { createTranslator } from 'next-intl'
import { cache } from 'react'
import type { Locale } from '@/lib/kernel/locale.ts'
import { lookUp } from '@/lib/kernel/look-up.ts'
import adminDe from '@/messages/admin/de.json'
import adminEn from '@/messages/admin/en.json'
import adminEs from '@/messages/admin/es.json'
import adminFr from '@/messages/admin/fr.json'
import adminIt from '@/messages/admin/it.json'
import adminNl from '@/messages/admin/nl.json'
import adminPl from '@/messages/admin/pl.json'
import adminPt from '@/messages/admin/pt.json'
import de from '@/messages/de.json'
import en from '@/messages/en.json'
import es from '@/messages/es.json'
import fr from '@/messages/fr.json'
import it from '@/messages/it.json'
import nl from '@/messages/nl.json'
import pl from '@/messages/pl.json'
import pt from '@/messages/pt.json'

type Admin = typeof adminEn
type Hosted = Pick<typeof en, 'problems' | 'chargebackReasons' | 'common'>

/** Adds texts of hosted pages and emails that the admin area also uses: the error summary, the reasons of disputes, and the names of taxes. */
const withHosted = (admin: Admin, { problems, chargebackReasons, common }: Hosted) => ({
  ...admin,
  problems: { heading: problems.heading, listed: problems.listed },
  chargebackReasons,
  taxNames: common.taxNames,
})

const texts: Readonly<Record<Locale, ReturnType<typeof withHosted>>> = {
  en: withHosted(adminEn, en),
  de: withHosted(adminDe, de),
  fr: withHosted(adminFr, fr),
  nl: withHosted(adminNl, nl),
  es: withHosted(adminEs, es),
  it: withHosted(adminIt, it),
  pt: withHosted(adminPt, pt),
  pl: withHosted(adminPl, pl),
}

/** The language of the current request, which React caches per request. Outside a request, the language is English. */
const ofRequest = cache((): { locale: Locale } => ({ locale: 'en' }))

/** Call this function before the first text of a page. */
export function setAdminLocale(locale: Locale): void {
  ofRequest().locale = locale
}

export const adminLocale = (): Locale => ofRequest().locale

type Translate = (key: AdminKey, values?: Record<string, string | number>) => string

const translators = new Map<Locale, Translate>()

function translatorOf(locale: Locale): Translate {
  const known = translators.get(locale)
  if (known) return known
  const made = createTranslator({
    locale,
    messages: texts[locale] as unknown as Record<string, never>,
    timeZone: 'UTC',
    onError(error) {
      throw error
    },
  }) as unknown as Translate
  translators.set(locale, made)
  return made
}

/** A text of the admin area, in the language of the request. Throws if the message is missing. */
export const adminText: Translate = (key, values) => translatorOf(adminLocale())(key, values)

type Keys<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Key : `${Key}.${Keys<Texts[Key]>}`
}[keyof Texts & string]

export type AdminKey = Keys<ReturnType<typeof withHosted>>

/** Whether a text with this key exists. Unlike `has` of next-intl, ignores names that every object inherits, such as `toString`. */
export function isAdminKey(key: string): key is AdminKey {
  let found: unknown = texts.en
  for (const part of key.split('.'))
    found = typeof found === 'object' ? lookUp(found as Record<string, unknown>, part) : undefined
  return typeof found === 'string'
}
