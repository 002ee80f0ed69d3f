/** What pages and emails are given of a storefront's brand. */

/** Colors of one scheme, each as `#rrggbb`. */
export interface SchemeColors {
  accent: string
  /** Under the pointer. */
  accentDeep: string
  /** The text on a button. */
  onAccent: string
  /** A surface with a trace of the accent. */
  tint: string
}

export type BrandColors = Record<'light' | 'dark', SchemeColors>

/** Where a logo fades into the page, it stands on a plate of the other scheme. */
export type Plates = Record<'light' | 'dark', boolean>

export interface LogoView {
  /** A path on this service. It names the content, so that its response never changes. */
  url: string
  /** In pixels, for the head of a page: the room is there before the image is. */
  width: number
  height: number
  /** A wide logo is a word mark: it stands for the name. Any other has the name beside it. */
  isWordMark: boolean
  plates: Plates
}

export interface BrandView {
  logo: LogoView | null
  /** Null: the colors of the service. */
  colors: BrandColors | null
  supportEmail: string | null
  supportUrl: string | null
}

/** What a page shows of its storefront. Every part that the brand leaves open has a fallback. */
export interface StorefrontView {
  storefrontName: string
  termsUrl: string | null
  privacyUrl: string | null
  brand: BrandView
}

/** What an email keeps of the brand, as it was when the email was written. */
export interface EmailBrand {
  /** With an absolute address. */
  readonly logo: LogoView | null
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportUrl: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
}

/** A storefront without a brand. */
export const noBrand: BrandView = { logo: null, colors: null, supportEmail: null, supportUrl: null }

/** The form of a brand in the admin area. */
export interface BrandPage {
  /** What is set, or was typed last, by field. */
  readonly values: Readonly<Record<BrandField, string>>
  readonly problems: Readonly<Partial<Record<BrandField | 'logo', string>>>
  /** Shown where the field is empty. */
  readonly storefrontName: string
  readonly logo: LogoView | null
  /** Whether the storefront is on hold, so that nothing can be saved. */
  readonly isOnHold: boolean
}

export const brandFields = ['displayName', 'accent', 'supportEmail', 'supportUrl', 'termsUrl', 'privacyUrl'] as const
export type BrandField = (typeof brandFields)[number]
