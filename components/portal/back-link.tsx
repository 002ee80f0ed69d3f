import { useTranslations } from 'next-intl'
import { Icon } from '@/components/ui/icon.tsx'

export function BackLink({ href }: { href: string }) {
  const t = useTranslations('portal')
  return (
    <p>
      <a className="-ms-1 inline-flex min-h-8 items-center gap-1 text-note text-soft hover:text-ink" href={href}>
        <Icon className="size-5" name="back" />
        {t('back')}
      </a>
    </p>
  )
}
