import { adminText as t } from './admin/text.ts'
import { secondaryButton } from './ui/button.ts'

interface Picture {
  readonly light: string
  readonly dark: string
}

interface FrontPageProps {
  pictures: { readonly checkout: Picture; readonly admin: Picture }
  status: 'ok' | 'degraded' | 'not_ready'
  version: string
}

const abilities = ['checkout', 'subscriptions', 'tax', 'invoices', 'money', 'api'] as const

const links = [
  { href: '/docs', label: 'front.docs' },
  { href: '/docs/api', label: 'front.api' },
  { href: '/docs/changelog', label: 'front.changelog' },
  { href: '/admin', label: 'front.admin' },
] as const

export function FrontPage({ pictures, status, version }: FrontPageProps) {
  return (
    <main className="mx-auto max-w-4xl px-5 py-12">
      <h1 className="font-semibold text-total tracking-tight">{t('product')}</h1>
      <p className="mt-4 max-w-2xl text-lead">{t('front.text')}</p>
      <p className="mt-4 max-w-2xl">{t('front.seller')}</p>
      <p className="mt-6 flex flex-wrap gap-3">
        <a className={secondaryButton} href="/docs/start/quickstart">
          {t('front.quickstart')}
        </a>
        <a className={secondaryButton} href="/docs/start/comparison">
          {t('front.compare')}
        </a>
        <a className={secondaryButton} href="/docs/merchants/migrate">
          {t('front.migrate')}
        </a>
      </p>
      {/* On a phone the picture is below the first screen, so that a text is the largest element of the first screen. */}
      <div className="flex flex-col wide:flex-col-reverse">
        <section aria-labelledby="what">
          <h2 className="mt-12 font-semibold text-title" id="what">
            {t('front.what')}
          </h2>
          <ul className="mt-4 grid gap-6 wide:grid-cols-2">
            {abilities.map((ability) => (
              <li key={ability}>
                <h3 className="font-semibold">{t(`front.can.${ability}.heading`)}</h3>
                <p className="text-soft">{t(`front.can.${ability}.text`)}</p>
              </li>
            ))}
          </ul>
        </section>
        <Shown picture={pictures.checkout} text={t('front.checkoutPicture')} />
      </div>
      <Shown picture={pictures.admin} text={t('front.adminPicture')} />
      <h2 className="mt-12 font-semibold text-title">{t('front.links')}</h2>
      <ul className="mt-4 flex flex-wrap gap-x-8 gap-y-2">
        {links.map(({ href, label }) => (
          <li key={href}>
            <a className="inline-flex min-h-8 items-center text-accent underline underline-offset-4" href={href}>
              {t(label)}
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-8 text-soft">{t('front.buyers')}</p>
      <footer className="mt-12 flex flex-wrap justify-between gap-4 border-line border-t pt-4 text-note text-soft">
        <p>{t('front.version', { version })}</p>
        <p>{t(`front.statuses.${status}`)}</p>
      </footer>
    </main>
  )
}

const Shown = ({ picture: { light, dark }, text }: { picture: Picture; text: string }) => (
  <picture>
    <source media="(prefers-color-scheme: dark)" srcSet={dark} />
    <img
      alt={text}
      className="mt-8 h-auto w-full rounded-box border border-line"
      height={800}
      loading="lazy"
      src={light}
      width={1280}
    />
  </picture>
)
