import type { ReactNode } from 'react'
import { Frame } from '@/components/admin/frame.tsx'
import { serviceFrame } from '@/lib/admin/pages.ts'
import { cookiesOf } from '../cookies.ts'

/** The frame of a page that belongs to no storefront. `proxy.ts` redirects everybody without a session to the log-in. */
export async function ServiceFrame({ children }: { children: ReactNode }) {
  const frame = await serviceFrame(await cookiesOf())
  return frame && <Frame frame={frame}>{children}</Frame>
}
