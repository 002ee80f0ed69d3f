import { getRequestConfig } from 'next-intl/server'
import type en from '../../messages/en.json'
import { type Locale, locales } from '../kernel/locale.ts'

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: typeof en
  }
}

/**
 * Configures next-intl for one request. The language comes from the record that a page shows (see
 * `app/(hosted)/open.ts`), never from the path. There is no fallback: a catalog without a key is an error.
 */
export default getRequestConfig(async ({ locale, requestLocale }) => {
  const wanted = locale ?? (await requestLocale)
  const language = locales.find((each) => each === wanted) ?? 'en'
  const catalogue: { default: typeof en } = await import(`../../messages/${language}.json`)
  return { locale: language, messages: catalogue.default, timeZone: 'UTC', onError: fail }
})

function fail(error: Error): never {
  throw error
}
