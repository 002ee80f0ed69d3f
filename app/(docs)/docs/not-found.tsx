import { adminText as t } from '@/components/admin/text.ts'
import { DocsFrame } from '@/components/docs/frame.tsx'
import { reference } from './reference.ts'
import { siteIndex } from './site.ts'

export default async function NotFound() {
  return (
    <DocsFrame current="" nouns={reference().nouns} site={await siteIndex()}>
      <h1 className="mb-4 font-semibold text-title">{t('docs.notFound')}</h1>
      <p>{t('docs.notFoundText')}</p>
    </DocsFrame>
  )
}
