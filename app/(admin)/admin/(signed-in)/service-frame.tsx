import type { ReactNode } from 'react'
import { Frame } from '@/components/admin/frame.tsx'
import { serviceFrame } from '@/lib/admin/pages.ts'
import { cookiesOf } from '../cookies.ts'

export async function ServiceFrame({ children }: { children: ReactNode }) {
  const frame = await serviceFrame(await cookiesOf())
  return frame && <Frame frame={frame}>{children}</Frame>
}
