import '@/app/globals.css'
import type { ReactNode } from 'react'
import { HostedDocument } from '@/components/ui/document.tsx'
import type { TokenParams } from '../../open.ts'
import { openCheckout } from './open-checkout.ts'

export default async function Layout({ children, params }: TokenParams & { children: ReactNode }) {
  const { document } = await openCheckout((await params).token)
  return <HostedDocument {...document}>{children}</HostedDocument>
}
