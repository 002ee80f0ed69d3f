import { createTranslator } from 'next-intl'
import type en from '../../messages/en.json'
import type { Locale } from '../kernel/locale.ts'

type Messages = typeof en

const loaded = new Map<Locale, Promise<Messages>>()

/** A language's texts, read once. */
function messagesOf(locale: Locale): Promise<Messages> {
  const known = loaded.get(locale)
  if (known) return known
  const reading = import(`../../messages/${locale}.json`).then(({ default: messages }) => messages as Messages)
  loaded.set(locale, reading)
  return reading
}

/** The texts below a key, outside any page: for mails and the lines of orders. A text that is missing is an error. */
export async function translate<Namespace extends keyof Messages & string>(locale: Locale, namespace: Namespace) {
  const messages = await messagesOf(locale)
  return createTranslator<Messages, Namespace>({
    locale,
    messages,
    namespace,
    timeZone: 'UTC',
    onError: (error) => {
      throw error
    },
  })
}
