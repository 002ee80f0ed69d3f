import { useTranslations } from 'next-intl'

export function TestBand() {
  const t = useTranslations('common')
  return (
    <header className="stripes border-line border-b text-center text-note print:hidden">
      <p className="inline-block bg-ground px-3 py-1 font-medium">{t('testMode')}</p>
    </header>
  )
}
