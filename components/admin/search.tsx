import type { SearchPage } from '@/lib/modules/accounts/page.ts'
import { Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** What a search found. */
export function Search({ page: { query, found } }: { page: SearchPage }) {
  return (
    <>
      <Heading note={t('search.text')}>{t('search.heading')}</Heading>
      {query !== '' && found.length === 0 && (
        <p className="mt-4" role="status">
          {t('search.nothing', { query })}
        </p>
      )}
      <ul className="mt-4 grid gap-2">
        {found.map(({ url, label, storefront, mode }) => (
          <li key={url}>
            <a href={url}>{label}</a>{' '}
            <span className="text-soft">
              {storefront} · {t(`storefront.modes.${mode}`)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
