import '@/app/globals.css'
import type { ReactNode } from 'react'
import { HostedDocument } from '@/components/ui/document.tsx'
import type { TokenParams } from '../../open.ts'
import { openWithdrawal } from './open-withdrawal.ts'

export default async function Layout({ children, params }: TokenParams & { children: ReactNode }) {
  const { document } = await openWithdrawal((await params).token, null)
  return <HostedDocument {...document}>{children}</HostedDocument>
}
