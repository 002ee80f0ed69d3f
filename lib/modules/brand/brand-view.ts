import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { EmailBrand, LogoView, StorefrontView } from './page.ts'
import { brandColors } from './rules/accent.ts'
import type { Brand, Logo } from './rules/brand.ts'
import { fitted, isWordMark, shownBox } from './rules/logo.ts'
import { readBrand } from './store.ts'

export async function storefrontView(sql: Sql, storefrontId: string): Promise<StorefrontView> {
  const { storefrontName, brand } = await readBrand(sql, storefrontId)
  return viewOf(brand, storefrontName)
}

export async function storefrontInEmail(
  sql: Sql,
  storefrontId: string,
): Promise<Pick<StorefrontView, 'storefrontName' | 'termsUrl'> & { readonly brand: EmailBrand }> {
  const { storefrontName, brand } = await readBrand(sql, storefrontId)
  const logoUrl = brand.logo ? pageUrl(logoPath(brand.logo)) : undefined
  const { storefrontName: name, termsUrl, privacyUrl, brand: shown } = viewOf(brand, storefrontName, logoUrl)
  const { logo, supportEmail, supportUrl } = shown
  return {
    storefrontName: name,
    termsUrl,
    brand: { logo, accent: brand.accent, supportEmail, supportUrl, termsUrl, privacyUrl },
  }
}

/** `logoUrl` replaces the URL of the logo, for a page that this service does not serve, such as a preview. */
export function viewOf(brand: Brand, storefrontName: string, logoUrl?: string): StorefrontView {
  const { termsUrl, privacyUrl } = config()
  return {
    storefrontName: brand.displayName ?? storefrontName,
    termsUrl: brand.termsUrl ?? termsUrl,
    privacyUrl: brand.privacyUrl ?? privacyUrl,
    brand: {
      logo: brand.logo && logoView(brand.logo, logoUrl),
      colors: brand.accent === null ? null : brandColors(brand.accent),
      supportEmail: brand.supportEmail,
      supportUrl: brand.supportUrl,
    },
  }
}

const logoPath = ({ hash, extension }: Pick<Logo, 'hash' | 'extension'>): string => `/brand/${hash}.${extension}`

const logoView = (logo: Logo, url = logoPath(logo)): LogoView => ({
  url,
  ...fitted(logo, shownBox),
  isWordMark: isWordMark(logo),
  plates: { light: logo.plateInLight, dark: logo.plateInDark },
})
