import { adminText as t } from './admin/text.ts'

const links = [
  { href: '/admin', label: 'front.admin', text: 'front.adminText' },
  { href: '/docs', label: 'front.interface', text: 'front.interfaceText' },
  { href: '/readyz', label: 'front.status', text: 'front.statusText' },
] as const

/** The page at the service's address: what the product is, with links to its parts. */
export function FrontPage() {
  return (
    <main className="mx-auto max-w-2xl px-5 py-16">
      <h1 className="font-semibold text-total tracking-tight">{t('product')}</h1>
      <p className="mt-4 text-lead">{t('front.text')}</p>
      <ul className="mt-8 grid gap-6">
        {links.map(({ href, label, text }) => (
          <li key={href}>
            <a
              className="inline-flex min-h-6 items-center font-semibold text-accent text-lead underline underline-offset-4"
              href={href}
            >
              {t(label)}
            </a>
            <p className="text-soft">{t(text)}</p>
          </li>
        ))}
      </ul>
      <p className="mt-8 text-soft">{t('front.buyers')}</p>
    </main>
  )
}
