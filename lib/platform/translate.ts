import { createTranslator } from 'next-intl'
import type en from '../../messages/en.json'
import type { Locale } from '../kernel/locale.ts'

/** Loads a language's texts at their first use. A text that is missing is an error: nothing falls back. */
async function load(locale: Locale) {
  const catalogue: { default: typeof en } = await import(`../../messages/${locale}.json`)
  return createTranslator({ locale, messages: catalogue.default, timeZone: 'UTC', onError: fail })
}

function fail(error: Error): never {
  throw error
}

const loaded = new Map<Locale, ReturnType<typeof load>>()

/** The texts of a language outside any page: for mails and the lines of orders. */
export function translator(locale: Locale): ReturnType<typeof load> {
  const known = loaded.get(locale) ?? load(locale)
  loaded.set(locale, known)
  return known
}
