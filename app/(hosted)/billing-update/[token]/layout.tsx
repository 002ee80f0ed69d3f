import '@/app/globals.css'
import type { ReactNode } from 'react'
import { HostedDocument } from '@/components/ui/document.tsx'
import type { TokenParams } from '../../open.ts'
import { openBillingUpdate } from './open-billing-update.ts'

export default async function Layout({ children, params }: TokenParams & { children: ReactNode }) {
  const { document } = await openBillingUpdate((await params).token)
  return <HostedDocument {...document}>{children}</HostedDocument>
}
