import type { ReactNode } from 'react'
import type { Locale } from '@/lib/kernel/locale.ts'
import { type BrandView, noBrand } from '@/lib/modules/brand/page.ts'
import { BrandProvider } from './brand.tsx'
import { brandStyle } from './brand-style.ts'
import { showLocalTimes } from './local-time.tsx'

interface HostedDocumentProps {
  locale: Locale
  /** Absent on pages of no storefront. */
  brand?: BrandView | null
  /** Without it the Content-Security-Policy lets no style into the document. */
  nonce?: string | undefined
  /** Whether the page follows what is typed. Any other one is sent without Next's scripts (`lib/server/static-pages.ts`). */
  isLive?: boolean
  children: ReactNode
}

/** The document around one hosted page. Each is a root layout of its own, in the language of its record. */
export function HostedDocument({ locale, brand, nonce, isLive = false, children }: HostedDocumentProps) {
  return (
    <html data-static={isLive ? undefined : ''} lang={locale}>
      {/* biome-ignore lint/style/noHeadElement: the rule is for another router; this is a root layout */}
      <head>{brand?.colors && <style nonce={nonce}>{brandStyle(brand.colors)}</style>}</head>
      <body>
        <link href="/icon.svg" rel="icon" type="image/svg+xml" />
        <BrandProvider brand={brand ?? noBrand}>{children}</BrandProvider>
        {!isLive && (
          <script data-kept="" nonce={nonce} suppressHydrationWarning>
            {showLocalTimes}
          </script>
        )}
      </body>
    </html>
  )
}
