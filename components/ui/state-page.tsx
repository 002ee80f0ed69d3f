import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { SupportLinks } from './brand.tsx'
import { Icon, type IconName } from './icon.tsx'
import { ShopName } from './shop-name.tsx'

interface StatePageProps {
  icon: IconName
  /** Green for success, and gray for every other state. No state is red, because the reader made no mistake. */
  tone: 'done' | 'plain'
  title: string
  shop?: string
  children: ReactNode
  actions?: ReactNode
}

export function StatePage({ icon, tone, title, shop, children, actions }: StatePageProps) {
  const t = useTranslations('common.support')
  return (
    <main className="mx-auto max-w-lg px-5 py-8 hand:py-16">
      {shop && (
        <p className="mb-6">
          <ShopName name={shop} />
        </p>
      )}
      <div className="rounded-box bg-paper p-6 shadow-sheet hand:p-10">
        <span
          className={`grid size-12 place-items-center rounded-full ${tone === 'done' ? 'bg-done-tint text-done' : 'bg-ground text-soft'}`}
        >
          <Icon name={icon} />
        </span>
        <h1 className="mt-5 font-semibold text-title tracking-tight">{title}</h1>
        <div className="mt-3 grid gap-3">{children}</div>
        {actions && <div className="mt-8 grid justify-items-stretch gap-2">{actions}</div>}
      </div>
      <div className="mt-6 text-note text-soft">
        <SupportLinks page={t('page')} question={t('question')} />
      </div>
    </main>
  )
}
