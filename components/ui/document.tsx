import type { ReactNode } from 'react'
import type { Locale } from '@/lib/kernel/locale.ts'

/** The document around one hosted page. Each is a root layout of its own: its language is its record's. */
export function HostedDocument({ locale, children }: { locale: Locale; children: ReactNode }) {
  return (
    <html lang={locale}>
      <body>{children}</body>
    </html>
  )
}
