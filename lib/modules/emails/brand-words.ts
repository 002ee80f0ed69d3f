import type { Translator } from '../../platform/translate.ts'
import type { LogoView } from '../brand/page.ts'
import { brandColors } from '../brand/rules/accent.ts'
import type { EmailContent } from './rules/email.ts'

export interface Link {
  readonly label: string
  readonly url: string
}

export interface BrandInWords {
  readonly shop: string
  readonly logo: LogoView | null
  /** The colors of the light scheme. They also suit the dark scheme, because the button has its own background. */
  readonly colors: { readonly accent: string; readonly onAccent: string }
  readonly support: { readonly question: string; readonly links: readonly Link[] } | null
  readonly papers: readonly Link[]
}

/** White text on this blue has a contrast of 6.7:1. */
const plainColors = { accent: '#1d4ed8', onAccent: '#ffffff' }

export function brandInWords(content: EmailContent, t: Translator): BrandInWords {
  const { storefrontName: shop, brand } = content
  if (!brand) return { shop, logo: null, colors: plainColors, support: null, papers: [] }
  const { logo, accent, supportEmail, supportUrl, termsUrl, privacyUrl } = brand
  const links = [
    ...(supportEmail === null ? [] : [{ label: supportEmail, url: `mailto:${supportEmail}` }]),
    ...(supportUrl === null ? [] : [{ label: supportUrl, url: supportUrl }]),
  ]
  const statesTerms = 'termsUrl' in content
  return {
    shop,
    logo,
    colors: accent === null ? plainColors : brandColors(accent).light,
    support: links.length === 0 ? null : { question: t('common.support.question'), links },
    papers: [
      ...(termsUrl === null || statesTerms ? [] : [{ label: t('checkout.about.terms'), url: termsUrl }]),
      ...(privacyUrl === null ? [] : [{ label: t('checkout.about.privacy'), url: privacyUrl }]),
    ],
  }
}
