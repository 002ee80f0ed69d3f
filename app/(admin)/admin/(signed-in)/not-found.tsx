import { Heading } from '@/components/admin/page-parts.tsx'
import { adminText as t } from '@/components/admin/text.ts'
import { chooseLanguage } from '../cookies.ts'
import { ServiceFrame } from './service-frame.tsx'

export default async function NotFound() {
  await chooseLanguage()
  return (
    <ServiceFrame>
      <Heading note={t('notFound.text')}>{t('notFound.heading')}</Heading>
    </ServiceFrame>
  )
}
