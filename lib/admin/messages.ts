import { createTranslator } from 'next-intl'
import de from '../../messages/admin/de.json' with { type: 'json' }
import en from '../../messages/admin/en.json' with { type: 'json' }
import es from '../../messages/admin/es.json' with { type: 'json' }
import fr from '../../messages/admin/fr.json' with { type: 'json' }
import it from '../../messages/admin/it.json' with { type: 'json' }
import nl from '../../messages/admin/nl.json' with { type: 'json' }
import pl from '../../messages/admin/pl.json' with { type: 'json' }
import pt from '../../messages/admin/pt.json' with { type: 'json' }
import type { Locale } from '../kernel/locale.ts'

export const adminMessages: Readonly<Record<Locale, typeof en>> = { de, en, es, fr, it, nl, pl, pt }

const translatorOf = (locale: Locale) =>
  createTranslator({
    locale,
    messages: adminMessages[locale],
    timeZone: 'UTC',
    onError(error) {
      throw error
    },
  })

export type AdminTranslator = ReturnType<typeof translatorOf>

const translators = new Map<Locale, AdminTranslator>()

/**
 * Returns a translator for texts outside of page components, such as documents and the problems of a refused form. A
 * missing text is an error.
 */
export function adminTranslator(locale: Locale): AdminTranslator {
  const known = translators.get(locale) ?? translatorOf(locale)
  translators.set(locale, known)
  return known
}
