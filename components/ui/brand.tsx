'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { type BrandView, noBrand } from '@/lib/modules/brand/page.ts'

const BrandContext = createContext<BrandView>(noBrand)

export function BrandProvider({ brand, children }: { brand: BrandView; children: ReactNode }) {
  return <BrandContext value={brand}>{children}</BrandContext>
}

/**
 * Shows the logo, and next to it the name if the logo does not contain the name. Without a logo, shows the children.
 */
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

/** The width and the height reserve the space of the image before it loads. */
export function LogoImage({ logo, alt }: { logo: NonNullable<BrandView['logo']>; alt: string }) {
  const { url, width, height, plates } = logo
  const plate = `${plates.light ? 'plate-in-light' : ''} ${plates.dark ? 'plate-in-dark' : ''}`
  // biome-ignore lint/performance/noImgElement: a logo is stored in its display size
  return <img alt={alt} className={`object-contain ${plate}`} height={height} src={url} width={width} />
}

interface SupportLinksProps {
  question: string
  page: string
}

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
