import type { ReactNode } from 'react'
import { AdminShell } from '@/components/admin/admin-shell.tsx'
import { operatorOf } from '@/lib/modules/operators/hosted.ts'
import { cookiesOf } from '../cookies.ts'

/** Around every page of a signed-in operator. `proxy.ts` leads everybody else to the log-in. */
export default async function Layout({ children }: { children: ReactNode }) {
  const operator = await operatorOf(await cookiesOf())
  return operator && <AdminShell email={operator.email}>{children}</AdminShell>
}
