import '@/app/globals.css'
import type { ReactNode } from 'react'
import { HostedDocument } from '@/components/ui/document.tsx'
import type { TokenParams } from '../../open.ts'
import { openBillingUpdate } from './open-billing-update.ts'

export default async function Layout({ children, params }: TokenParams & { children: ReactNode }) {
  const opened = await openBillingUpdate((await params).token)
  const isLive = opened.found === 'page' && opened.page.state === 'open'
  return (
    <HostedDocument {...opened.document} isLive={isLive}>
      {children}
    </HostedDocument>
  )
}
