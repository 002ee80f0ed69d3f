import type { StorefrontList } from '@/lib/modules/accounts/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { FilterForm } from './filter-form.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export function Storefronts({ list }: { list: StorefrontList }) {
  return (
    <>
      <Heading action={list.newUrl ? { url: list.newUrl, text: t('newStorefront.heading') } : null}>
        {t('storefronts.heading')}
      </Heading>
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
              <span className="flex gap-4 whitespace-nowrap">
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

const OfMerchant = ({ merchant, name, url }: { merchant: string; name: string; url: string }) => (
  <span className="grid justify-items-start">
    <Name>{merchant}</Name>
    <a aria-label={`${t('newStorefront.another')}: ${merchant} (${name})`} href={url}>
      {t('newStorefront.another')}
    </a>
  </span>
)
