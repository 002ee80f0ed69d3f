import type { ReactNode } from 'react'
import { linkButton } from '@/components/ui/button.ts'
import { CopyTexts } from './copy-texts.tsx'
import { NavLinks } from './nav-links.tsx'
import { SearchBox } from './search-box.tsx'
import { type AdminKey, adminText as t } from './text.ts'

const sections: readonly { href: string; label: AdminKey; staffOnly?: true }[] = [
  { href: '/admin', label: 'nav.overview', staffOnly: true },
  { href: '/admin/storefronts', label: 'nav.storefronts' },
  { href: '/admin/reviews', label: 'nav.reviews', staffOnly: true },
  { href: '/admin/chargebacks', label: 'nav.chargebacks', staffOnly: true },
  { href: '/admin/thresholds', label: 'nav.thresholds', staffOnly: true },
  { href: '/admin/work', label: 'nav.work', staffOnly: true },
  { href: '/admin/invariants', label: 'nav.invariants', staffOnly: true },
  { href: '/admin/audit', label: 'nav.audit', staffOnly: true },
  { href: '/admin/sessions', label: 'nav.sessions' },
]

/** The frame of every page of the admin area: sections, the logged-in person, and the log-out. */
export function AdminShell({ email, isStaff, children }: { email: string; isStaff: boolean; children: ReactNode }) {
  return (
    <>
      <header className="border-line border-b bg-paper">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-1 px-5 py-3">
          <p className="font-semibold">
            {t('product')} <span className="font-normal text-soft">{t('area')}</span>
          </p>
          <SearchBox hint={t('search.hint')} label={t('search.label')} />
          <div className="flex flex-wrap items-center gap-x-4 text-note">
            <span className="text-soft">{t('signedInAs', { email })}</span>
            <form action="/admin/sign-out" method="post">
              <button className={linkButton} type="submit">
                {t('signOut')}
              </button>
            </form>
          </div>
          <nav aria-label={t('nav.label')} className="w-full">
            <NavLinks
              links={sections
                .filter(({ staffOnly }) => isStaff || !staffOnly)
                .map(({ href, label }) => ({ href, text: t(label) }))}
              root="/admin"
            />
          </nav>
        </div>
      </header>
      <CopyTexts copied={t('copy.copied')} failed={t('copy.failed')} />
      <main className="mx-auto max-w-6xl px-5 py-8">{children}</main>
    </>
  )
}
