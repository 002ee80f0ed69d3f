import type { ReactNode } from 'react'
import { ServiceFrame } from '../service-frame.tsx'

export default function Layout({ children }: { children: ReactNode }) {
  return <ServiceFrame>{children}</ServiceFrame>
}
