import { money } from '../../kernel/format.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { config } from '../../platform/config.ts'
import { translator } from '../../platform/translate.ts'
import type { LogoView, SchemeColors, StorefrontView } from './page.ts'

/** Returns an HTML page that loads no other files and runs no script. */
export async function previewHtml(storefront: StorefrontView): Promise<string> {
  const texts = await textsOf(storefront)
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    `<title>${escapeHtml(storefront.storefrontName)}</title>`,
    `<style>${base}${schemes.map((scheme) => style(scheme, storefront)).join('')}</style>`,
    '</head>',
    '<body>',
    ...schemes.map((scheme) => sample(scheme, storefront, texts)),
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]

const plain = {
  light: {
    surfaces: '--paper:#ffffff;--ground:#f6f5f2;--ink:#1b1c1f;--soft:#5b5e66;--line:#e4e2dd;--field:#85888f',
    colors: { accent: '#2746c7', accentDeep: '#1d379f', onAccent: '#ffffff', tint: '#f1f3fd' },
    plate: '#1b1c20',
  },
  dark: {
    surfaces: '--paper:#1b1c20;--ground:#131417;--ink:#eeeeef;--soft:#a6a9b1;--line:#33353b;--field:#757982',
    colors: { accent: '#9db1ff', accentDeep: '#b9c7ff', onAccent: '#10142a', tint: '#222739' },
    plate: '#ffffff',
  },
} as const satisfies Record<Scheme, { surfaces: string; colors: SchemeColors; plate: string }>

function style(scheme: Scheme, { brand }: StorefrontView): string {
  const { surfaces, colors, plate } = plain[scheme]
  const { accent, accentDeep, onAccent, tint } = brand.colors?.[scheme] ?? colors
  const own = `--accent:${accent};--deep:${accentDeep};--on-accent:${onAccent};--tint:${tint};--plate:${plate}`
  return `\n.${scheme} { ${surfaces};${own} }`
}

const base = `
* { box-sizing: border-box }
body { margin: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); min-height: 100vh;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
section { padding: 40px 24px; background: var(--ground); color: var(--ink) }
section > div { max-width: 26rem; margin: 0 auto }
h1 { display: flex; align-items: center; gap: 12px; min-height: 36px; margin: 0 0 32px; font-size: 16px }
h1 img { display: block; max-width: 100%; height: auto }
h1 .initial { display: grid; place-items: center; flex: none; width: 36px; height: 36px; border-radius: 8px;
  background: var(--ink); color: var(--paper) }
.plate { padding: 4px; border-radius: 8px; background: var(--plate) }
.soft { color: var(--soft); margin: 0 }
.total { margin: 0; font-size: 44px; line-height: 48px; font-weight: 600; letter-spacing: -0.025em }
form { margin-top: 32px; padding: 24px; border-radius: 8px; background: var(--paper) }
label { display: block; font-size: 14px; font-weight: 500 }
input[type=text] { width: 100%; height: 48px; margin: 4px 0 16px; padding: 0 12px; border: 1px solid var(--field);
  border-radius: 8px; background: var(--paper); color: var(--ink); font: inherit }
.method { display: flex; align-items: center; gap: 12px; margin-bottom: 24px; padding: 12px 16px; border-radius: 8px;
  border: 1px solid var(--field); background: var(--tint); font-size: 16px; font-weight: 400 }
.method input { width: 18px; height: 18px; margin: 0; accent-color: var(--accent) }
button { width: 100%; min-height: 48px; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent);
  font: inherit; font-size: 18px; font-weight: 600 }
button:hover { background: var(--deep) }
footer { margin-top: 24px; font-size: 14px; color: var(--soft) }
footer p { margin: 0 0 12px }
a { color: var(--accent) }
a:hover { color: var(--deep) }
.light { color-scheme: light }
.dark { color-scheme: dark }`

type Texts = Awaited<ReturnType<typeof textsOf>>

async function textsOf({ storefrontName: shop }: StorefrontView) {
  const t = await translator('en')
  const total = money({ value: '12.10', currency: 'EUR' }, 'en')
  return {
    due: t('checkout.summary.dueToday'),
    total,
    email: t('checkout.details.email'),
    method: t('common.methods.creditcard'),
    pay: t('checkout.confirm.pay', { total }),
    seller: t('checkout.about.seller', { seller: config().seller.name, shop }),
    question: t('common.support.question'),
    supportPage: t('common.support.page'),
    terms: t('checkout.about.terms'),
    privacy: t('checkout.about.privacy'),
  }
}

function sample(scheme: Scheme, storefront: StorefrontView, texts: Texts): string {
  const { storefrontName, brand, termsUrl, privacyUrl } = storefront
  const { supportEmail, supportUrl } = brand
  const link = (url: string | null, label: string) =>
    url === null ? [] : [`<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`]
  const support = [
    ...(supportEmail === null ? [] : link(`mailto:${supportEmail}`, supportEmail)),
    ...link(supportUrl, texts.supportPage),
  ]
  const papers = [...link(termsUrl, texts.terms), ...link(privacyUrl, texts.privacy)]
  return [
    `<section class="${scheme}"><div>`,
    `<h1>${head(brand.logo, storefrontName, scheme)}</h1>`,
    `<p class="soft">${escapeHtml(texts.due)}</p>`,
    `<p class="total">${escapeHtml(texts.total)}</p>`,
    '<form>',
    `<label>${escapeHtml(texts.email)}<input type="text" value="ada@example.com"></label>`,
    `<label class="method"><input type="radio" checked>${escapeHtml(texts.method)}</label>`,
    `<button type="button">${escapeHtml(texts.pay)}</button>`,
    '</form>',
    '<footer>',
    ...(support.length === 0 ? [] : [`<p>${escapeHtml(texts.question)} ${support.join(' · ')}</p>`]),
    `<p>${escapeHtml(texts.seller)}</p>`,
    ...(papers.length === 0 ? [] : [`<p>${papers.join(' · ')}</p>`]),
    '</footer>',
    '</div></section>',
  ].join('\n')
}

function head(logo: LogoView | null, name: string, scheme: Scheme): string {
  const text = escapeHtml(name)
  if (!logo) {
    const [initial] = new Intl.Segmenter().segment(name.trim())
    return `<span class="initial" aria-hidden="true">${escapeHtml(initial?.segment.toUpperCase() ?? '')}</span>${text}`
  }
  const { width, height, url, isWordMark, plates } = logo
  const plate = plates[scheme] ? ' class="plate"' : ''
  const image = `<img${plate} src="${escapeHtml(url)}" width="${width}" height="${height}" alt="${isWordMark ? text : ''}">`
  return isWordMark ? image : `${image}${text}`
}
