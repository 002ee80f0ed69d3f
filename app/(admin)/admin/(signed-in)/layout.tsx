import type { ReactNode } from 'react'
import { AdminShell } from '@/components/admin/admin-shell.tsx'
import { personOf } from '@/lib/modules/operators/manage-sessions.ts'
import { cookiesOf } from '../cookies.ts'

/** The frame of every page behind the log-in. `proxy.ts` redirects everybody else to the log-in. */
export default async function Layout({ children }: { children: ReactNode }) {
  const person = await personOf(await cookiesOf())
  if (!person) return null
  return (
    <AdminShell email={person.email} isStaff={person.membership === null}>
      {children}
    </AdminShell>
  )
}
