import type { ReactNode } from 'react'
import type { Locale } from '@/lib/kernel/locale.ts'
import { type BrandView, noBrand } from '@/lib/modules/brand/page.ts'
import { BrandProvider } from './brand.tsx'
import { brandStyle } from './brand-style.ts'

interface HostedDocumentProps {
  locale: Locale
  brand?: BrandView | null
  /** The Content-Security-Policy allows the style of a brand only with this nonce. */
  nonce?: string | undefined
  children: ReactNode
}

/** The root layout of a hosted page, in the language of the record that the page shows. */
export function HostedDocument({ locale, brand, nonce, children }: HostedDocumentProps) {
  return (
    <html lang={locale}>
      {/* biome-ignore lint/style/noHeadElement: the rule is for another router; this is a root layout */}
      <head>{brand?.colors && <style nonce={nonce}>{brandStyle(brand.colors)}</style>}</head>
      <body>
        <link href="/icon.svg" rel="icon" type="image/svg+xml" />
        <BrandProvider brand={brand ?? noBrand}>{children}</BrandProvider>
      </body>
    </html>
  )
}
