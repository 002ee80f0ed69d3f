import { adminText as t } from '@/components/admin/text.ts'
import { markdownPathOf } from './navigation.ts'
import { PageTools } from './page-tools.tsx'
import type { SitePage } from './site-types.ts'

export function GuidePage({ page, repository }: { page: SitePage; repository: string | null }) {
  return (
    <article>
      <h1 className="mb-6 font-semibold text-title">{page.title}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered at build time from files of this repository */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: page.html }} />
      <p className="docs-source">
        <a href={markdownPathOf(page.slug)}>{t('docs.markdown')}</a>
        {repository && <a href={`${repository}/edit/main/${page.file}`}>{t('docs.edit')}</a>}
      </p>
      <PageTools copied={t('docs.copied')} copy={t('docs.copy')} />
    </article>
  )
}
