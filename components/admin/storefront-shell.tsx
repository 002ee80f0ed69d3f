import type { ReactNode } from 'react'
import type { StorefrontFrame, StorefrontSection } from '@/lib/modules/accounts/page.ts'
import { Moment } from './moment.tsx'
import { NavLinks } from './nav-links.tsx'
import { adminText as t } from './text.ts'

const pathOf = (section: StorefrontSection): string => (section === 'overview' ? '' : `/${section}`)

/** The frame of every page of a storefront: its name, its mode as text and color, and its sections. */
export function StorefrontShell({ frame, children }: { frame: StorefrontFrame; children: ReactNode }) {
  const { name, merchant, mode, path, otherModeUrl, now, sections, suspension, heldAt } = frame
  return (
    <>
      <header className={`-mx-5 mb-6 border-y px-5 pt-0 pb-2 ${bands[mode]}`}>
        <div aria-hidden="true" className={`-mx-5 mb-2 h-2 ${edges[mode]}`} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <p>
            <strong className={`me-3 rounded-box px-2 py-1 font-semibold text-note ${marks[mode]}`}>
              {t(`storefront.modes.${mode}`)}
            </strong>
            <a className="font-semibold" href={path}>
              {name}
            </a>{' '}
            <span className="text-soft">{merchant}</span>
          </p>
          <p className="text-note">
            {mode === 'test' && (
              <>
                {t('storefront.clock')} <Moment at={now} />
                {' · '}
              </>
            )}
            <a
              className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
              href={otherModeUrl}
            >
              {t(`storefront.switch.${mode}`)}
            </a>
          </p>
        </div>
        <nav aria-label={t('storefront.nav.label')}>
          <NavLinks
            links={sections.map((section) => ({
              href: `${path}${pathOf(section)}`,
              text: t(`storefront.nav.${section}`),
            }))}
            root={path}
          />
        </nav>
      </header>
      {heldAt && (
        <div className="mb-6 rounded-box border border-wrong bg-wrong-tint p-3">
          <p className="font-semibold">
            {t('hold.band')} <Moment at={heldAt} />
          </p>
          <p>{t('hold.text')}</p>
        </div>
      )}
      {suspension && (
        <div className="mb-6 rounded-box border border-wrong bg-wrong-tint p-3">
          <p className="font-semibold">
            {t('suspension.band')} <Moment at={suspension.since} />
          </p>
          <p className="wrap-anywhere">{suspension.reason}</p>
        </div>
      )}
      {children}
    </>
  )
}

/** Test mode has the stripes of all pages in test mode. Live mode has the color of real money. */
const bands = { test: 'border-dashed border-field bg-paper', live: 'border-done bg-done-tint' } as const
const edges = { test: 'stripes', live: 'bg-done' } as const
const marks = { test: 'border border-dashed border-field', live: 'bg-done text-on-accent' } as const
