import { createTranslator } from 'next-intl'
import type en from '../../messages/en.json'
import type { Locale } from '../kernel/locale.ts'

/** A missing text is an error, because there is no fallback. */
async function load(locale: Locale) {
  const catalogue: { default: typeof en } = await import(`../../messages/${locale}.json`)
  return createTranslator({ locale, messages: catalogue.default, timeZone: 'UTC', onError: fail })
}

function fail(error: Error): never {
  throw error
}

export type Translator = Awaited<ReturnType<typeof load>>

const loaded = new Map<Locale, ReturnType<typeof load>>()

export function translator(locale: Locale): ReturnType<typeof load> {
  const known = loaded.get(locale) ?? load(locale)
  loaded.set(locale, known)
  return known
}
