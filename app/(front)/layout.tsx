import '@/app/globals.css'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { adminText as t } from '@/components/admin/text.ts'
import { HostedDocument } from '@/components/ui/document.tsx'

export const metadata: Metadata = { title: t('front.title') }

export default function Layout({ children }: { children: ReactNode }) {
  return <HostedDocument locale="en">{children}</HostedDocument>
}
