'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { type BrandView, noBrand } from '@/lib/modules/brand/page.ts'

const BrandContext = createContext<BrandView>(noBrand)

/** Provides the brand of a page to all its parts. */
export function BrandProvider({ brand, children }: { brand: BrandView; children: ReactNode }) {
  return <BrandContext value={brand}>{children}</BrandContext>
}

/** The logo, with the name if the logo does not contain it; without a logo the children. */
export function Logo({ name, children }: { name: string; children: ReactNode }) {
  const { logo } = useContext(BrandContext)
  if (!logo) return children
  const image = <LogoImage alt={logo.isWordMark ? name : ''} logo={logo} />
  if (logo.isWordMark) return image
  return (
    <>
      {image}
      <span className="min-w-0 font-semibold">{name}</span>
    </>
  )
}

/** An image that reserves its space before it loads, and keeps its proportions. */
export function LogoImage({ logo, alt }: { logo: NonNullable<BrandView['logo']>; alt: string }) {
  const { url, width, height, plates } = logo
  const plate = `${plates.light ? 'plate-in-light' : ''} ${plates.dark ? 'plate-in-dark' : ''}`
  // biome-ignore lint/performance/noImgElement: it is stored in the size that is shown
  return <img alt={alt} className={`object-contain ${plate}`} height={height} src={url} width={width} />
}

interface SupportLinksProps {
  /** The text before the links. */
  question: string
  /** The name of the link to the storefront's page. */
  page: string
}

/** The support links of a storefront; empty if it has none. */
export function SupportLinks({ question, page }: SupportLinksProps) {
  const { supportEmail, supportUrl } = useContext(BrandContext)
  if (!supportEmail && !supportUrl) return null
  return (
    <p>
      {question} {supportEmail && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
      {supportEmail && supportUrl && ' · '}
      {supportUrl && <a href={supportUrl}>{page}</a>}
    </p>
  )
}
