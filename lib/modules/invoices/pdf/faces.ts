import { createRequire } from 'node:module'
import path from 'node:path'
import type { InvoiceDocument } from '../page.ts'

interface Font {
  readonly name: string
  readonly regular: string
  readonly bold: string
  readonly isFor: RegExp
  readonly joins?: boolean
  /** Whether HarfBuzz must shape the script, because its marks are stacked or are not drawn in reading order. */
  readonly isComplex?: boolean
}

const google = (family: string, file: string, bold: string): Pick<Font, 'regular' | 'bold'> => ({
  regular: `@expo-google-fonts/${family}/400Regular/${file}_400Regular.ttf`,
  bold: `@expo-google-fonts/${family}/${bold}/${file}_${bold}.ttf`,
})

const embedpdf = (name: string, file: string, type = 'ttf'): Pick<Font, 'regular' | 'bold'> => ({
  regular: `@embedpdf/fonts-${name}/fonts/${file}-Regular.${type}`,
  bold: `@embedpdf/fonts-${name}/fonts/${file}-Bold.${type}`,
})

const eastAsian = (language: 'jp' | 'kr' | 'sc', file: string): Pick<Font, 'regular' | 'bold' | 'isFor'> => ({
  ...embedpdf(language, file, 'otf'),
  isFor:
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}|[\u2e80-\u33ff\ufe30-\ufe4f\uff00-\uffef]/u,
})

const latin: Font = {
  name: 'latin',
  ...google('noto-sans', 'NotoSans', '600SemiBold'),
  isFor: /\P{Script=Devanagari}/su,
}
const arabic: Font = {
  name: 'arabic',
  // Noto Sans Arabic is not used, because it draws a letter as a body and dots. Copied text would therefore have different letters.
  ...embedpdf('arabic', 'NotoNaskhArabic'),
  isFor: /\p{Script_Extensions=Arabic}|\p{Zs}/u,
  joins: true,
}
const hebrew: Font = {
  name: 'hebrew',
  ...google('noto-sans-hebrew', 'NotoSansHebrew', '600SemiBold'),
  isFor: /\p{Script_Extensions=Hebrew}|\p{Zs}/u,
}
const emoji: Font = {
  name: 'emoji',
  ...google('noto-emoji', 'NotoEmoji', '700Bold'),
  isFor: /\p{Emoji}|\p{Emoji_Component}|\p{Extended_Pictographic}/u,
  joins: true,
}

const script = (name: string, bold = '600SemiBold'): Font => {
  const file = `NotoSans${name.replaceAll(/[_-]/g, '')}`
  const family = `noto-sans-${name.toLowerCase().replaceAll('_', '-')}`
  const isFor = new RegExp(`\\p{Script_Extensions=${name}}`, 'u')
  return { name: name.toLowerCase(), ...google(family, file, bold), isFor, joins: true, isComplex: true }
}

/** Devanagari is not listed, because it is in the font of the Latin script. */
const scripts: readonly Font[] = [
  ...['Armenian', 'Bengali', 'Canadian_Aboriginal', 'Ethiopic', 'Georgian', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer'],
  ...['Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thai'],
].map((name) => script(name))
const devanagari: Font = { ...latin, name: 'devanagari', isFor: /\p{Script=Devanagari}/u, joins: true, isComplex: true }
const tibetan: Font = {
  ...script('Tibetan'),
  ...google('noto-serif-tibetan', 'NotoSerifTibetan', '600SemiBold'),
}
const tifinagh = script('Tifinagh', '400Regular')
// The font of a right-to-left script also draws blanks. Another font would split right-to-left text into runs that are
// written from left to right, in the wrong order for copying.
const thaana: Font = {
  name: 'thaana',
  ...google('noto-sans-thaana', 'NotoSansThaana', '600SemiBold'),
  isFor: /\p{Script_Extensions=Thaana}|\p{Zs}/u,
  isComplex: true,
}

const japanese: Font = { name: 'japanese', ...eastAsian('jp', 'NotoSansJP') }
const korean: Font = { name: 'korean', ...eastAsian('kr', 'NotoSansKR') }
const chinese: Font = { name: 'chinese', ...eastAsian('sc', 'NotoSansHans') }

const byHan: Readonly<Record<InvoiceDocument['han'], readonly Font[]>> = {
  japanese: [japanese, chinese, korean],
  korean: [korean, chinese, japanese],
  chinese: [chinese, japanese, korean],
}

export const fontsFor = (han: InvoiceDocument['han']): readonly [Font, ...Font[]] => [
  latin,
  arabic,
  hebrew,
  thaana,
  devanagari,
  ...scripts,
  tibetan,
  tifinagh,
  ...byHan[han],
  emoji,
]

/** The path is relative to the folder of the program, because a bundler moves this source file but not the fonts. */
export function fontFile({ regular, bold }: Font, isBold: boolean): string {
  const file = isBold ? bold : regular
  const name = file.split('/', 2).join('/')
  const main = createRequire(path.join(process.cwd(), 'package.json')).resolve(name)
  return path.join(main.slice(0, main.lastIndexOf(name)), file)
}
