export interface SchemeColors {
  accent: string
  /** The accent color of an element while the pointer is over the element. */
  accentDeep: string
  onAccent: string
  /** A background color that contains a small share of the accent color. */
  tint: string
}

export type BrandColors = Record<'light' | 'dark', SchemeColors>

/** For each color scheme, whether the logo is hard to see. The page then puts the background color of the opposite scheme behind the logo. */
export type Plates = Record<'light' | 'dark', boolean>

export interface LogoView {
  /** A path that contains the hash of the content, so the response for this path never changes. */
  url: string
  /** `width` and `height` are in pixels. The page reserves the space before the image loads. */
  width: number
  height: number
  /**
   * Whether the logo is wide enough to contain the name. If the logo is not wide enough, the page shows the name next
   * to the logo.
   */
  isWordMark: boolean
  plates: Plates
}

export interface BrandView {
  logo: LogoView | null
  colors: BrandColors | null
  supportEmail: string | null
  supportUrl: string | null
}

export interface StorefrontView {
  storefrontName: string
  termsUrl: string | null
  privacyUrl: string | null
  brand: BrandView
}

export interface EmailBrand {
  /** In an email, the `url` of the logo is absolute. */
  readonly logo: LogoView | null
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportUrl: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
}

export const noBrand: BrandView = { logo: null, colors: null, supportEmail: null, supportUrl: null }

export interface BrandPage {
  readonly values: Readonly<Record<BrandField, string>>
  readonly problems: Readonly<Partial<Record<BrandField | 'logo', string>>>
  readonly storefrontName: string
  readonly logo: LogoView | null
  readonly isOnHold: boolean
}

export const brandFields = ['displayName', 'accent', 'supportEmail', 'supportUrl', 'termsUrl', 'privacyUrl'] as const
export type BrandField = (typeof brandFields)[number]
