import '@/app/globals.css'
import './docs.css'
import type { ReactNode } from 'react'
import { HostedDocument } from '@/components/ui/document.tsx'

export default function Layout({ children }: { children: ReactNode }) {
  return <HostedDocument locale="en">{children}</HostedDocument>
}
