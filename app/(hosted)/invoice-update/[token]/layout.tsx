import '@/app/globals.css'
import type { ReactNode } from 'react'
import { HostedDocument } from '@/components/ui/document.tsx'
import type { TokenParams } from '../../open.ts'
import { openInvoiceUpdate } from './open-invoice-update.ts'

export default async function Layout({ children, params }: TokenParams & { children: ReactNode }) {
  const { document } = await openInvoiceUpdate((await params).token, 'form')
  return <HostedDocument {...document}>{children}</HostedDocument>
}
