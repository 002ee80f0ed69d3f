import '@/app/globals.css'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { adminText as t } from '@/components/admin/text.ts'
import { HostedDocument } from '@/components/ui/document.tsx'
import { chooseLanguage } from './cookies.ts'
import { titlesBelow } from './title.ts'

export async function generateMetadata(): Promise<Metadata> {
  await chooseLanguage()
  return titlesBelow(t('title'))
}

export default async function Layout({ children }: { children: ReactNode }) {
  return <HostedDocument locale={await chooseLanguage()}>{children}</HostedDocument>
}
