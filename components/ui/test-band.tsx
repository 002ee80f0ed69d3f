import { useTranslations } from 'next-intl'

/** Shown at the top of every page in test mode. Pages do not differ otherwise. */
export function TestBand() {
  const t = useTranslations('common')
  return (
    <header className="stripes border-line border-b text-center text-note print:hidden">
      <p className="inline-block bg-ground px-3 py-1 font-medium">{t('testMode')}</p>
    </header>
  )
}
