/** Colors of one scheme, each as `#rrggbb`. */
export interface SchemeColors {
  accent: string
  /** Under the pointer. */
  accentDeep: string
  onAccent: string
  /** A surface with a trace of the accent. */
  tint: string
}

export type BrandColors = Record<'light' | 'dark', SchemeColors>

/** A logo that would fade into the page stands on a plate of the other scheme. */
export type Plates = Record<'light' | 'dark', boolean>

export interface LogoView {
  /** A path on this service. The path names the content, so the response never changes. */
  url: string
  /** In pixels: the page reserves the space before the image loads. */
  width: number
  height: number
  /** A wide logo is a word mark and replaces the name. Any other logo has the name beside it. */
  isWordMark: boolean
  plates: Plates
}

export interface BrandView {
  logo: LogoView | null
  /** Null means the colors of the service. */
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

/** The brand as it was when the email was written. */
export interface EmailBrand {
  /** With an absolute address. */
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
