import type { ReactNode } from 'react'
import type { Locale } from '@/lib/kernel/locale.ts'
import { type BrandView, noBrand } from '@/lib/modules/brand/page.ts'
import { BrandProvider } from './brand.tsx'
import { brandStyle } from './brand-style.ts'
import { hostedScript } from './hosted-script/script.ts'

interface HostedDocumentProps {
  locale: Locale
  /** Absent on pages of no storefront. */
  brand?: BrandView | null
  /** Without it the Content-Security-Policy lets no style of ours into the document, and no script. */
  nonce?: string | undefined
  children: ReactNode
}

/**
 * The document around one page. Each is a root layout of its own, in the language of its record. A hosted page is sent with
 * the script of the hosted pages alone, without Next's (`lib/server/static-pages.ts`).
 */
export function HostedDocument({ locale, brand, nonce, children }: HostedDocumentProps) {
  return (
    <html data-static="" lang={locale}>
      {/* biome-ignore lint/style/noHeadElement: the rule is for another router; this is a root layout */}
      <head>{brand?.colors && <style nonce={nonce}>{brandStyle(brand.colors)}</style>}</head>
      <body>
        <link href="/icon.svg" rel="icon" type="image/svg+xml" />
        <BrandProvider brand={brand ?? noBrand}>{children}</BrandProvider>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, which React would escape */}
        {nonce && <script dangerouslySetInnerHTML={{ __html: hostedScript }} data-kept="" nonce={nonce} />}
      </body>
    </html>
  )
}
