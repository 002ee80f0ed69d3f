'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { type BrandView, noBrand } from '@/lib/modules/brand/page.ts'

const BrandContext = createContext<BrandView>(noBrand)

/** Gives the brand of a page to every part of it that shows some of it. */
export function BrandProvider({ brand, children }: { brand: BrandView; children: ReactNode }) {
  return <BrandContext value={brand}>{children}</BrandContext>
}

/** The logo, with the name where the logo does not have it; without a logo what is inside. */
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

/** An image that keeps its room before it is loaded, and its proportions in any room. */
export function LogoImage({ logo, alt }: { logo: NonNullable<BrandView['logo']>; alt: string }) {
  const { url, width, height, plates } = logo
  const plate = `${plates.light ? 'plate-in-light' : ''} ${plates.dark ? 'plate-in-dark' : ''}`
  // biome-ignore lint/performance/noImgElement: it is stored in the size that is shown
  return <img alt={alt} className={`object-contain ${plate}`} height={height} src={url} width={width} />
}

interface SupportLinksProps {
  /** Before the links. */
  question: string
  /** The name of the link to the storefront's page. */
  page: string
}

/** Where the storefront answers questions; nothing where it does not say. */
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
