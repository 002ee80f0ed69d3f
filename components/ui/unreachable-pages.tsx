import { useTranslations } from 'next-intl'
import { primaryButton } from './button.ts'
import { StatePage } from './state-page.tsx'

export function NotFoundPage() {
  const t = useTranslations('errors.notFound')
  return (
    <StatePage icon="lost" title={t('heading')} tone="plain">
      <p>{t('text')}</p>
    </StatePage>
  )
}

export function DownPage() {
  const t = useTranslations('errors.down')
  return (
    <StatePage
      actions={
        <a className={primaryButton} href="?">
          {t('retry')}
        </a>
      }
      icon="alert"
      title={t('heading')}
      tone="plain"
    >
      <p>{t('text')}</p>
    </StatePage>
  )
}
