import type { ReactNode } from 'react'
import type { Locale } from '@/lib/kernel/locale.ts'

/** The document around one hosted page. Each is a root layout of its own, in the language of its record. */
export function HostedDocument({ locale, children }: { locale: Locale; children: ReactNode }) {
  return (
    <html lang={locale}>
      <body>
        <link href="/icon.svg" rel="icon" type="image/svg+xml" />
        {children}
      </body>
    </html>
  )
}
