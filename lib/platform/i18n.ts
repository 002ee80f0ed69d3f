import { getRequestConfig } from 'next-intl/server'
import type en from '../../messages/en.json'
import { type Locale, locales } from '../kernel/locale.ts'

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: typeof en
  }
}

/** The language comes from the record that a page shows, never from the path. */
export default getRequestConfig(async ({ locale, requestLocale }) => {
  const wanted = locale ?? (await requestLocale)
  const language = locales.find((each) => each === wanted) ?? 'en'
  const catalogue: { default: typeof en } = await import(`../../messages/${language}.json`)
  return { locale: language, messages: catalogue.default, timeZone: 'UTC', onError: fail }
})

function fail(error: Error): never {
  throw error
}
