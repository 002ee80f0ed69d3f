export interface DocsPage {
  readonly file: string
  /** The path below `/docs`, without a leading or trailing slash. */
  readonly slug: string
  /** The name in the sidebar, if the heading of the page is too long. */
  readonly label?: string
}

export interface DocsGroup {
  readonly title: string
  readonly pages: readonly DocsPage[]
}

/**
 * Derives the slug from the file name. For example, `docs/contract/README.md` becomes `contract`, and `docs/tour.md`
 * becomes `tour`.
 */
const slugOf = (file: string): string =>
  file
    .toLowerCase()
    .replace(/^docs\//, '')
    .replace(/\/?(?:readme)?\.md$/, '')

const page = (file: string, label?: string): DocsPage => ({ file, slug: slugOf(file), ...(label && { label }) })

/** The API reference is generated from the OpenAPI document and has no Markdown file. */
export const apiReferenceTitle = 'API reference'

/** The pages of `/docs` in sidebar order. File names and folders do not affect the order. */
export const navigation: readonly DocsGroup[] = [
  {
    title: 'Start',
    pages: [
      { file: 'docs/start/introduction.md', slug: '' },
      page('docs/start/comparison.md'),
      page('docs/start/quickstart.md'),
      page('docs/start/concepts.md'),
      page('docs/tour.md'),
    ],
  },
  {
    title: 'Guides for merchants',
    pages: [
      page('docs/merchants/sell-a-subscription.md'),
      page('docs/merchants/sell-a-product.md'),
      page('docs/merchants/access.md'),
      page('docs/merchants/webhooks.md'),
      page('docs/merchants/typescript-sdk.md'),
      page('docs/merchants/command-line.md', 'Command line for merchants'),
      page('docs/merchants/errors.md'),
      page('docs/merchants/seats.md'),
      page('docs/merchants/payment-links.md'),
      page('docs/merchants/portal.md'),
      page('docs/merchants/refunds-and-disputes.md'),
      page('docs/merchants/payouts.md'),
      page('docs/merchants/figures.md'),
      page('docs/merchants/tax.md'),
      page('docs/merchants/invoices.md'),
      page('docs/merchants/test-a-year.md'),
      page('docs/merchants/api-keys.md'),
      page('docs/merchants/going-live.md'),
      page('docs/merchants/migrate.md'),
      page('docs/merchants/migrate-from-stripe.md'),
      page('docs/merchants/migrate-from-paddle.md'),
      page('docs/merchants/migrate-from-lemon-squeezy.md'),
      page('docs/brand.md'),
    ],
  },
  {
    title: 'Guides for operators',
    pages: [
      page('docs/guides/operate.md'),
      page('docs/production.md'),
      page('docs/guides/containers.md'),
      page('docs/guides/upgrade.md'),
      page('docs/guides/going-live.md', 'Go live as an operator'),
      page('docs/configuration.md'),
      page('docs/guides/live-payments.md', 'Live payments'),
      page('docs/mail-notices.md', 'Bounces and complaints'),
      page('docs/admin-area.md', 'Admin area'),
      page('docs/command-line.md'),
      page('docs/monitoring/README.md'),
      page('docs/guides/incidents.md'),
      page('docs/guides/payouts.md', 'Payouts'),
      page('docs/guides/tax-returns.md'),
      page('docs/personal-data.md'),
      page('docs/guides/move-a-storefront.md', 'Move a storefront'),
      page('docs/guides/change-the-recovery-schedule.md'),
      page('docs/guides/inngest.md', 'Inngest'),
      page('docs/guides/pgbouncer.md', 'PgBouncer'),
      page('docs/reliability.md'),
      page('docs/benchmarks.md'),
      page('docs/benchmarks-scale.md', 'Benchmarks: a million orders'),
      page('SECURITY.md', 'Report a weakness'),
    ],
  },
  {
    title: 'Contract',
    pages: [
      page('docs/contract/README.md', 'Overview'),
      page('docs/contract/conventions.md'),
      page('docs/contract/errors.md'),
      page('docs/contract/accounts.md'),
      page('docs/contract/catalog.md'),
      page('docs/contract/checkouts.md'),
      page('docs/contract/payment-links.md'),
      page('docs/contract/customers.md'),
      page('docs/contract/portal.md'),
      page('docs/contract/subscriptions.md'),
      page('docs/contract/recovery.md'),
      page('docs/contract/orders-and-invoices.md'),
      page('docs/contract/refunds-and-chargebacks.md'),
      page('docs/contract/withdrawal.md'),
      page('docs/contract/webhooks.md'),
      page('docs/contract/test-helpers.md'),
      page('docs/contract/hosted-pages.md'),
      page('docs/contract/tax.md'),
      page('docs/contract/money.md'),
      page('docs/en16931.md', 'Rules of e-invoices'),
      page('docs/glossary.md'),
    ],
  },
  { title: 'Changelog', pages: [page('CHANGELOG.md')] },
]

/** Markdown files for contributors. Links to these files lead to the repository. */
export const unpublished: readonly RegExp[] = [
  /^docs\/README\.md$/,
  /^docs\/(?:clients|decisions|languages)\//,
  /^docs\/guides\/(?:add-a-.*|write-a-migration)\.md$/,
]

export const pagesOf = (groups: readonly DocsGroup[]): readonly DocsPage[] => groups.flatMap(({ pages }) => pages)

export const pathOfPage = (slug: string): string => (slug === '' ? '/docs' : `/docs/${slug}`)

export const markdownPathOf = (slug: string): string => `/docs/${slug === '' ? 'index' : slug}.md`
