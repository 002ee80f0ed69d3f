import { foundGroups, type SearchPage } from '@/lib/modules/accounts/page.ts'
import { Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export function Search({ page: { query, isTooShort, found } }: { page: SearchPage }) {
  const groups = foundGroups.flatMap((group) => {
    const ofGroup = found.filter((each) => each.group === group)
    return ofGroup.length > 0 ? [{ group, ofGroup }] : []
  })
  return (
    <>
      <Heading note={t('search.text')}>{t('search.heading')}</Heading>
      {query !== '' && found.length === 0 && (
        <p className="mt-4" role="status">
          {isTooShort ? t('search.tooShort') : t('search.nothing', { query })}
        </p>
      )}
      {groups.map(({ group, ofGroup }) => (
        <Section id={group} key={group} label={`search.groups.${group}`}>
          <ul className="mt-2 grid gap-2">
            {ofGroup.map(({ url, label, detail, storefront, mode }) => (
              <li className="wrap-anywhere" key={url}>
                <a href={url}>{label}</a> {detail && <span>{detail} </span>}
                <span className="text-soft">
                  {storefront} · {t(`storefront.modes.${mode}`)}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  )
}
