import '@/app/globals.css'
import type { ReactNode } from 'react'
import { HostedDocument } from '@/components/ui/document.tsx'
import type { TokenParams } from '../../../open.ts'
import { openPortalSignIn } from './open-sign-in.ts'

export default async function Layout({ children, params }: TokenParams & { children: ReactNode }) {
  const { document } = await openPortalSignIn((await params).token, null)
  return <HostedDocument {...document}>{children}</HostedDocument>
}
