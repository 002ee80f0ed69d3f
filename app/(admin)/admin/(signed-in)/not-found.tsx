import { Heading } from '@/components/admin/page-parts.tsx'
import { adminText as t } from '@/components/admin/text.ts'

/** In place of a page of something that does not exist, or not in this mode. */
export default function NotFound() {
  return <Heading note={t('notFound.text')}>{t('notFound.heading')}</Heading>
}
