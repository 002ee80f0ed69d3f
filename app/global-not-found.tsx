import './globals.css'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { HostedDocument } from '@/components/ui/document.tsx'
import { NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { negotiateLocale } from '@/lib/kernel/locale.ts'

const readerLocale = async () => negotiateLocale((await headers()).get('accept-language'))

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations({ locale: await readerLocale(), namespace: 'errors.notFound' })
  return { title: t('heading') }
}

export default async function GlobalNotFound() {
  const locale = await readerLocale()
  setRequestLocale(locale)
  return (
    <HostedDocument locale={locale}>
      <NotFoundPage />
    </HostedDocument>
  )
}
