import type { ProviderAccountsPage } from '@/lib/modules/provider-accounts/page.ts'
import { DataTable } from './data-table.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Heading } from './page-parts.tsx'
import { providerName } from './provider-name.ts'
import { adminText as t } from './text.ts'

export const ProviderAccounts = ({ page: { accounts } }: { page: ProviderAccountsPage }) => (
  <>
    <Heading note={t('providerAccounts.text')}>{t('nav.provider-accounts')}</Heading>
    <DataTable
      columns={[
        {
          label: 'storefronts.name',
          cell: ({ storefront, storefrontUrl }) => <a href={storefrontUrl}>{storefront}</a>,
        },
        { label: 'providerAccounts.provider', onPhone: 'bare', cell: ({ provider }) => providerName(provider) },
        {
          label: 'status',
          onPhone: 'corner',
          cell: ({ endedAt }) => t(endedAt === null ? 'providerAccounts.current' : 'providerAccounts.ended'),
        },
        { label: 'providerAccounts.since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { label: 'providerAccounts.until', cell: ({ endedAt }) => endedAt && <Moment at={endedAt} /> },
        { label: 'providerAccounts.id', cell: ({ id }) => <Id id={id} /> },
        { label: 'providerAccounts.notices', cell: ({ notices }) => <Id id={notices} /> },
      ]}
      empty="providerAccounts.empty"
      keyOf={({ id }) => id}
      label={t('nav.provider-accounts')}
      rows={accounts}
    />
  </>
)
