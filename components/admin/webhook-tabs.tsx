import { Tabs } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const pages = ['endpoints', 'deliveries'] as const

export const WebhookTabs = ({ open, path }: { open: (typeof pages)[number]; path: string }) => (
  <Tabs
    label={t('storefront.nav.endpoints')}
    tabs={pages.map((page) => ({ url: `${path}/${page}`, text: t(`webhooks.tabs.${page}`), isOpen: page === open }))}
  />
)
