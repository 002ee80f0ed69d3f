import type { StorefrontList } from '@/lib/modules/accounts/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { FilterForm } from './filter-form.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** All storefronts, with links to both modes of each. */
export function Storefronts({ list }: { list: StorefrontList }) {
  return (
    <>
      <Heading>{t('storefronts.heading')}</Heading>
      {list.newUrl && (
        <p className="mt-2">
          <a href={list.newUrl}>{t('newStorefront.heading')}</a>
        </p>
      )}
      {list.name !== null && (
        <FilterForm
          action="/admin/storefronts"
          defaultValue={list.name}
          label={t('storefronts.filter')}
          maxLength={100}
          name="name"
        />
      )}
      <DataTable
        columns={[
          {
            label: 'storefronts.name',
            cell: ({ name, isSuspended, isOnHold }) => (
              <Name>
                {[
                  name,
                  ...(isSuspended ? [`(${t('suspension.mark')})`] : []),
                  ...(isOnHold ? [`(${t('hold.mark')})`] : []),
                ].join(' ')}
              </Name>
            ),
          },
          {
            label: 'storefronts.merchant',
            cell: ({ name, merchant, newUrl }) =>
              newUrl ? <OfMerchant merchant={merchant} name={name} url={newUrl} /> : <Name>{merchant}</Name>,
          },
          {
            label: 'storefronts.open',
            cell: ({ name, testUrl, liveUrl }) => (
              <span className="flex gap-4">
                <a aria-label={`${name}: ${t('storefront.modes.test')}`} href={testUrl}>
                  {t('storefront.modes.test')}
                </a>
                <a aria-label={`${name}: ${t('storefront.modes.live')}`} href={liveUrl}>
                  {t('storefront.modes.live')}
                </a>
              </span>
            ),
          },
          { label: 'storefronts.created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { label: 'storefronts.id', cell: ({ id }) => <Id id={id} /> },
        ]}
        empty={list.name ? 'storefronts.noneNamed' : 'storefronts.empty'}
        keyOf={({ id }) => id}
        label={t('storefronts.heading')}
        rows={list.rows}
      />
      <Pager {...list} />
    </>
  )
}

/** A merchant, with a link to create another storefront of the merchant. */
const OfMerchant = ({ merchant, name, url }: { merchant: string; name: string; url: string }) => (
  <span className="flex flex-wrap gap-x-4">
    <Name>{merchant}</Name>
    <a aria-label={`${t('newStorefront.another')}: ${merchant} (${name})`} href={url}>
      {t('newStorefront.another')}
    </a>
  </span>
)
