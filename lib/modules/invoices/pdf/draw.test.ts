import { inflateSync } from 'node:zlib'
import { extractXml } from '@stackforge-eu/factur-x'
import { XmlDocument } from 'libxml2-wasm'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { invoicePages } from '../../../../e2e/fixtures/hosted-pages.ts'
import { countries } from '../../../kernel/countries.ts'
import { type Locale, locales } from '../../../kernel/locale.ts'
import { translator } from '../../../platform/translate.ts'
import { pagesOfPdf, withoutSpaces } from '../../../testing/pdf-text.ts'
import { picture } from '../../../testing/pictures.ts'
import { noBrand } from '../../brand/page.ts'
import { invoiceDocumentOf } from '../invoice-document.ts'
import type { InvoiceDocument, InvoicePage } from '../page.ts'
import { draw } from './draw.ts'

async function invoiceWith(
  name: string,
  locale: Locale = 'en',
  differences: Partial<InvoicePage> = {},
): Promise<InvoiceDocument> {
  const page = invoicePages[name]?.(locale)
  if (!page) throw new Error(`No fixture ${name}`)
  return invoiceDocumentOf({ ...page, ...differences }, await translator(locale))
}

const open = (bytes: Uint8Array) => getDocument({ data: bytes.slice(), verbosity: 0 }).promise

function saidBy({
  locale: _,
  madeAt: __,
  title: ___,
  pdf: ____,
  ubl: ______,
  han: _____,
  ...invoice
}: InvoiceDocument): string[] {
  const leaves = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(leaves)
  return leaves(invoice)
}

const timesOf = (part: string, text: string) => text.split(part).length - 1

const fixtures = ['kronor', 'reverse', 'switzerland', 'outsideScope', 'credit', 'change', 'long']
/** All fixtures in two languages, and one or two of the fixtures in each other language. */
const drawnIn: [Locale, string[]][] = locales.map((locale, index) => [
  locale,
  ['de', 'pl'].includes(locale) ? fixtures : fixtures.filter((_, nth) => nth % 4 === index % 4),
])

describe.each(drawnIn)('invoice PDFs in the language %s', (locale, names) => {
  const letters = { fullName: 'ąćęłńóśźż ĄĆĘŁŃÓŚŹŻ ß € é ñ ç ã ő ű ï œ ŵ', companyName: 'Юрий Щёголев, Γιώργος Ζήσης' }

  it.each(names)('the PDF and the page of the fixture %s have the same text', async (name) => {
    const { buyer } = invoicePages.sale?.(locale) ?? {}
    const written = await invoiceWith(
      name,
      locale,
      name === 'long' || !buyer ? {} : { buyer: { ...buyer, ...letters } },
    )
    const text = (await pagesOfPdf(await draw(written))).join('')
    const said = saidBy(written)
    expect(said.length).toBeGreaterThan(30)
    for (const words of said) expect(text).toContain(withoutSpaces(words))
    expect(text.includes('ąćęłńóśźż')).toBe(name !== 'long')
    expect(text).not.toContain('\ufffd')
  })
})

describe('bytes', () => {
  afterEach(() => void vi.useRealTimers())

  it('the PDF of an invoice has the same bytes each time, also after the module is loaded again', async () => {
    const written = await invoiceWith('sale', 'pl')
    const [first, second] = [await draw(written), await draw(written)]
    vi.resetModules()
    const third = await (await import('./draw.ts')).draw(written)
    for (const bytes of [second, third]) expect(Buffer.from(bytes).equals(first)).toBe(true)
  })

  it('the PDF of an invoice has the same bytes at a later time', async () => {
    const drawnAt = async (moment: string) => {
      vi.useFakeTimers({ now: new Date(moment), toFake: ['Date'] })
      return Buffer.from(await draw(await invoiceWith('sixty', 'pl')))
    }
    const first = await drawnAt('2026-11-20T10:00:00Z')
    expect(first.equals(await drawnAt('2031-02-03T04:05:06Z'))).toBe(true)
    expect(first.equals(Buffer.from(await draw(await invoiceWith('sixty', 'de'))))).toBe(false)
  })
})

const rawOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const objectsOf = (raw: string) =>
  [...raw.matchAll(/\n\d+ 0 obj\n([\s\S]*?)\n(?=(?:stream|endobj)\n)/g)].map(([, dictionary = '']) => dictionary)
const drawnBy = (bytes: Uint8Array) =>
  [...rawOf(bytes).matchAll(/\/Filter \/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream\n/g)]
    .map(([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'))
    .filter((stream) => stream.startsWith('1 0 0 -1 0 841.89 cm'))

describe('as PDF/A-3b', () => {
  it('the PDF of an invoice declares PDF/A-3b, and has the same date and title in its XMP metadata and its information dictionary', async () => {
    const raw = rawOf(await draw(await invoiceWith('corrected', 'de')))
    expect(raw.startsWith('%PDF-1.7\n%\xff\xff\xff\xff\n')).toBe(true)
    expect(raw).toContain('<pdfaid:part>3</pdfaid:part>')
    expect(raw).toContain('<pdfaid:conformance>B</pdfaid:conformance>')
    expect(raw).toContain('<xmp:CreateDate>2026-12-01T16:00:00Z</xmp:CreateDate>')
    expect(raw).toContain('(D:20261201160000Z)')
    expect(raw).not.toMatch(/ModDate|ModifyDate/)
    expect(raw).toContain('<rdf:li xml:lang="x-default">Rechnung TEST-INV-2026-000042</rdf:li>')
    expect(raw).toContain('(Rechnung TEST-INV-2026-000042)')
    expect(raw).toContain('<xmp:CreatorTool>Billhook</xmp:CreatorTool>')
    expect(raw).toContain('<pdf:Producer>Billhook</pdf:Producer>')
    expect(timesOf('(Billhook)', raw)).toBe(2)
    expect(objectsOf(raw).filter((object) => object.includes('/S /GTS_PDFA1'))).toHaveLength(1)
    expect(raw).toMatch(/\/OutputIntents \[\d+ 0 R\]/)
    expect(raw).not.toMatch(/\/Encrypt|\/JavaScript|\/Launch|\/SMask|\/CA |\/ca /)
  })

  it('the PDF of an invoice contains its electronic invoice as Factur-X requires', async () => {
    const xml = '<a>Łódź</a>'
    const document = { ...(await invoiceWith('sale', 'de')), eInvoice: xml }
    const bytes = await draw(document)
    expect(await extractXml(bytes)).toMatchObject({ xml, filename: 'factur-x.xml' })
    const raw = rawOf(bytes)
    const [fileSpec] = objectsOf(raw).filter((object) => object.includes('/Type /Filespec'))
    expect(fileSpec).toContain('/AFRelationship /Alternative')
    expect(raw).toMatch(/\/AF \[\d+ 0 R\]/)
    expect(raw).toMatch(/\/Subtype \/text#2Fxml/)
    for (const [name, value] of Object.entries({
      DocumentType: 'INVOICE',
      ConformanceLevel: 'EN 16931',
      Version: '1.0',
    }))
      expect(raw).toContain(`<fx:${name}>${value}</fx:${name}>`)
    const [metadata = ''] = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(raw) ?? []
    expect(() => XmlDocument.fromString(metadata).dispose()).not.toThrow()
    expect(metadata).toContain('<pdfaSchema:prefix>fx</pdfaSchema:prefix>')
    expect(Buffer.from(bytes).equals(Buffer.from(await draw(document)))).toBe(true)
    await expect(extractXml(await draw({ ...document, eInvoice: null }))).rejects.toThrow()
  })

  it('the PDF of an invoice embeds every font, and each font maps its glyphs to characters', async () => {
    const objects = objectsOf(rawOf(await draw(await invoiceWith('sale', 'de'))))
    const fonts = objects.filter((object) => /\/Type \/Font\n/.test(object))
    const whole = fonts.filter((font) => font.includes('/Subtype /Type0'))
    expect(whole.map((font) => /\/BaseFont \/[A-Z]{6}\+(\S+)/.exec(font)?.[1])).toEqual([
      'NotoSans-Regular',
      'NotoSans-SemiBold',
    ])
    for (const font of whole) expect(font).toMatch(/\/ToUnicode \d+ 0 R/)
    const parts = fonts.filter((font) => !whole.includes(font))
    expect(parts.map((font) => /\/Subtype \/(\w+)/.exec(font)?.[1])).toEqual(['CIDFontType2', 'CIDFontType2'])
    expect(objects.filter((object) => /\/FontFile2 \d+ 0 R/.test(object))).toHaveLength(2)
  })

  it('each drawn character has a glyph in its font, and each drawn part of the PDF is tagged', async () => {
    const { buyer } = invoicePages.sale?.('en') ?? {}
    const name = '𐌰𐌱𐌲 𐍈\u202e ok'
    const bytes = await draw(
      await invoiceWith('sixty', 'en', buyer && { buyer: { ...buyer, fullName: name, companyName: null } }),
    )
    expect((await pagesOfPdf(bytes))[0]).toContain('\ufffd\ufffd\ufffd\ufffdok')
    const drawn = drawnBy(bytes)
    expect(drawn).toHaveLength(3)
    for (const page of drawn) {
      const glyphs = [...page.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      expect(glyphs.length).toBeGreaterThan(500)
      expect(glyphs).not.toContain('0000')
      let depth = 0
      for (const line of page.split('\n')) {
        if (/ (BDC|BMC)$/.test(line)) depth++
        if (line === 'EMC') depth--
        if (/ (TJ|re)$|^[Sf]$/.test(line)) expect(depth).toBe(1)
      }
      expect(depth).toBe(0)
    }
  })

  it('the PDF of an invoice states its language and the role of each part for screen readers', async () => {
    const file = await open(await draw(await invoiceWith('sixty', 'fr')))
    expect((await file.getMetadata()).info).toMatchObject({ Language: 'fr', Title: 'Facture TEST-INV-2026-000042' })
    expect(await file.getMarkInfo()).toMatchObject({ Marked: true })
    const trees = await Promise.all([1, 2, 3].map(async (number) => (await file.getPage(number)).getStructTree()))
    const roles = trees.map((tree) => [...JSON.stringify(tree).matchAll(/"role":"(\w+)"/g)].map(([, role]) => role))
    const count = (role: string) => roles.map((page) => page.filter((each) => each === role).length)
    expect(count('H1')).toEqual([1, 0, 0])
    expect(count('TH')).toEqual([5, 0, 0]) // The headings that later pages repeat are not tagged as `TH`.
    expect(count('TD').reduce((sum, each) => sum + each, 0)).toBe(60 * 5)
  })
})

const namesByScript = {
  Armenian: 'Անի Պետրոսյան',
  Bengali: 'রবীন্দ্রনাথ ঠাকুর ক্ষি',
  'Canadian syllabics': 'ᓄᓇᕗᑦ ᐊᓪᓚᒃ',
  Devanagari: 'नरेन्द्र शर्मा कि हिन्दी दर्\u200dया',
  Ethiopic: 'አበበ በቂላ',
  Georgian: 'გიორგი ბერიძე',
  Gujarati: 'મહાત્મા ગાંધી ક્ષિ',
  Gurmukhi: 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ',
  Kannada: 'ಕೃಷ್ಣರಾಜ ಒಡೆಯರ್',
  Khmer: 'សុខ សុវណ្ណារ៉ា ភ្នំពេញ',
  Lao: 'ສົມສັກ ວົງສາ ນ້ຳ',
  Malayalam: 'രാമൻ കൃഷ്ണൻ ശ്രീ ക്കോ',
  Myanmar: 'အောင်ဆန်းစုကြည် မြန်မာ',
  Odia: 'ଜଗନ୍ନାଥ ପଣ୍ଡା କ୍ଷି',
  Sinhala: 'ශ්\u200dරී ලංකාව',
  Tamil: 'கோ. ராமசாமி ஸ்ரீ',
  Telugu: 'శ్రీనివాస్ కృష్ణ',
  Thaana: 'މުޙައްމަދު އަޙްމަދު',
  Thai: 'สมชาย ใจดี น้ำ ที่',
  Tibetan: 'བསྟན་འཛིན་རྒྱ་མཚོ',
  Tifinagh: 'ⵎⵓⵃⵎⵎⴷ ⵄⵍⵉ',
}
/** ISO 15924 codes of the scripts that other tests cover. */
const drawnBefore = new Set(['Latn', 'Cyrl', 'Grek', 'Arab', 'Hebr', 'Hans', 'Hant', 'Jpan', 'Kore', 'Zyyy'])
/** Copied text as pdf.js returns it: pdf.js splits some vowels into two parts and omits some joiners. */
const asCopied = (text: string) => text.normalize('NFKD').replaceAll(/\p{Cf}/gu, '')

describe('in other scripts', () => {
  const named = async (fullName: string) => {
    const { buyer } = invoicePages.sale?.('en') ?? {}
    return invoiceWith('sale', 'en', buyer && { buyer: { ...buyer, fullName, companyName: null } })
  }

  it.each([
    ['Arabic', 'محمد سلمان شهريا مقاعد'],
    ['Hebrew', 'שלום עולם'],
    ['Chinese', '王小明团队'],
    ['Japanese', '東京都港区ひらがなカタカナ'],
    ['Korean', '서울특별시 강남구'],
    ['emoji', 'Zoë 👩‍💻👨‍👩‍👧‍👦👍🏽👍🏿🇩🇪❤️'],
  ])('text in %s is drawn and can be copied', async (_, name) => {
    const written = await named(name)
    const [text = ''] = await pagesOfPdf(await draw(written))
    expect(text).not.toContain('\ufffd')
    // Copied text may lack the joiners of emoji and the variation selectors.
    const plain = (shown: string) => shown.replaceAll(/\p{Variation_Selector}|\p{Cf}/gu, '')
    expect(plain(text)).toContain(plain(withoutSpaces(name)))
  })

  it.each(Object.entries(namesByScript))(
    'every letter of the %s name %s is drawn and can be copied',
    async (script, name) => {
      const bytes = await draw(await named(name))
      const [text = ''] = (await pagesOfPdf(bytes)).map(asCopied)
      expect(text).not.toContain('\ufffd')
      const expected = asCopied(withoutSpaces(name))
      // In Thaana text copied from a PDF, the vowel sign of the last letter can come before all other characters. The test therefore ignores the order.
      if (script === 'Thaana')
        expect([...text].filter((letter) => /\p{Script=Thaana}/u.test(letter)).sort()).toEqual([...expected].sort())
      else expect(text).toContain(expected)
      for (const page of drawnBy(bytes)) expect(page).not.toMatch(/<(?:[0-9a-f]{4})*?0000(?:[0-9a-f]{4})*>/)
    },
  )

  it('a font exists for each script that is used in a selectable country', () => {
    const languages = countries.map((country) => new Intl.Locale(`und-${country}`).maximize())
    const used = [...new Set(languages.map(({ script = '' }) => script))].filter((script) => !drawnBefore.has(script))
    expect(
      used.filter((script) => !/^(Armn|Beng|Deva|Ethi|Geor|Khmr|Laoo|Mymr|Sinh|Thaa|Thai|Tibt)$/.test(script)),
    ).toEqual([])
  })

  it('the buyer’s country decides which glyph is drawn for a Han character that several languages share', async () => {
    const fontsOf = async (country: string) => {
      const { buyer } = invoicePages.sale?.('en') ?? {}
      const written = await invoiceWith(
        'sale',
        'en',
        buyer && { buyer: { ...buyer, fullName: '直', companyName: null, country } },
      )
      const raw = Buffer.from(await draw(written)).toString('latin1')
      return [...new Set(raw.match(/NotoSans(?:JP|KR|Hans)/g))]
    }
    expect(await fontsOf('JP')).toEqual(['NotoSansJP'])
    expect(await fontsOf('KR')).toEqual(['NotoSansKR'])
    expect(await fontsOf('DE')).toEqual(['NotoSansHans'])
  })

  it('the bytes of a PDF do not depend on previously drawn documents', async () => {
    const first = await draw(await named('سلمان 東京 👍🏽'))
    await draw(await named('شهريا 东京 👍🏿'))
    expect(Buffer.from(await draw(await named('سلمان 東京 👍🏽'))).equals(first)).toBe(true)
  })
})

describe('with a brand', () => {
  const branded = invoicePages.branded?.('de')
  const { logo = null, support = noBrand } = branded ?? {}
  const logos = [
    ['a picture with transparent parts', () => picture('png', { width: 640, height: 137 }, 0.5)],
    ['a photograph', () => picture('jpeg', { width: 320, height: 320 })],
  ] as const

  it.each(logos)('the PDF shows %s as a logo with alternative text, with the same bytes each time', async (_, file) => {
    const bytes = await file()
    const written = await invoiceWith('sale', 'de', { logo, storefrontName: 'Lumen' })
    const drawn = await draw(written, bytes)
    const raw = Buffer.from(drawn).toString('latin1')
    expect(timesOf('/Subtype /Image', raw)).toBe(timesOf('/SMask', raw) + 1)
    expect(raw).toMatch(/\/S \/Figure[\s\S]{0,80}\/Alt \(Lumen\)|\/Alt \(Lumen\)[\s\S]{0,80}\/S \/Figure/)
    expect(Buffer.from(await draw(written, bytes)).equals(drawn)).toBe(true)
  })

  it.each(logos)('a PDF with fifteen lines and %s as a logo fits on one page', async (_, file) => {
    const pages = await pagesOfPdf(await draw(await invoiceWith('fifteen', 'de', { logo, support }), await file()))
    expect(pages).toHaveLength(1)
    expect(pages[0]).toContain(
      withoutSpaces('Haben Sie Fragen? help@northwind.example · https://northwind.example/help'),
    )
  })

  it('the PDF of an invoice contains no image if the brand has no logo', async () => {
    expect(Buffer.from(await draw(await invoiceWith('sale'))).toString('latin1')).not.toContain('/Subtype /Image')
  })
})

it('a column heading is on one line if the descriptions leave enough space', async () => {
  const written = await invoiceWith('canada', 'fr')
  const [line] = written.lines
  if (!line) throw new Error('No line')
  const headings = async (description: string) => {
    const file = await open(await draw({ ...written, lines: [{ ...line, description }] }))
    const { items } = await (await file.getPage(1)).getTextContent()
    return items.map((item) => ('str' in item ? item.str : ''))
  }
  expect(await headings('Offre équipe')).toContain('Prix unitaire HT')
  expect(await headings('Une offre pour toute une équipe, '.repeat(4))).not.toContain('Prix unitaire HT')
})

describe('on several pages', () => {
  it('each page of a PDF has the test-mode band, the headings, and a page number', async () => {
    const written = await invoiceWith('sixty', 'de')
    const pages = await pagesOfPdf(await draw(written))
    expect(pages).toHaveLength(3)
    const heads = withoutSpaces(Object.values(written.columns).join(''))
    for (const [index, page] of pages.entries()) {
      expect(timesOf(withoutSpaces('Testmodus: kein echtes Geld'), page)).toBe(1)
      expect(timesOf(heads, page)).toBe(1)
      expect(page).toContain(withoutSpaces(`Rechnung TEST-INV-2026-000042 · ${index + 1}/3`))
    }
    expect(timesOf(withoutSpaces('24,77 €'), pages.join(''))).toBe(60)
    expect(pages[2]).toContain(withoutSpaces('Gesamtbetrag59,23 €'))
  })

  it('a PDF with fifteen lines has one page without a page number', async () => {
    const pages = await pagesOfPdf(await draw(await invoiceWith('fifteen', 'de')))
    expect(pages).toHaveLength(1)
    expect(pages[0]).not.toContain('1/1')
  })

  // A reverse charge needs the most space: a tax ID, a long company name, and a note.
  it.each(['de', 'fr', 'pl'] as const)(
    'fifteen reverse-charge lines in the language %s fit on one page',
    async (locale) => {
      const base = invoicePages.reverse?.(locale)
      const [line] = base?.lines ?? []
      if (!base || !line) throw new Error('No line')
      const service = { from: '2026-11-20', until: '2027-11-20' }
      const lines = Array.from({ length: 15 }, () => ({ ...line, service }))
      const companyName =
        'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft mbH & Co. KG'
      const buyer = { ...base.buyer, companyName }
      expect(await pagesOfPdf(await draw(await invoiceWith('reverse', locale, { buyer, lines })))).toHaveLength(1)
    },
  )

  it('the sums of a PDF are together on one page, regardless of the number of lines', async () => {
    const { lines = [] } = invoicePages.sixty?.('en') ?? {}
    const ends = new Set<string>()
    for (let count = 15; count <= 22; count++) {
      const pages = await pagesOfPdf(await draw(await invoiceWith('canada', 'en', { lines: lines.slice(0, count) })))
      const last = pages.at(-1) ?? ''
      expect(pages.filter((page) => page.includes(withoutSpaces('Subtotal before tax')))).toHaveLength(1)
      expect(pages.find((page) => page.includes(withoutSpaces('Subtotal before tax')))).toContain(
        withoutSpaces('Subtotal before tax€49.77GST 5% on €49.77€2.49QST 9.975% on €49.77€4.96Total€57.22Paid in full'),
      )
      ends.add(`${pages.length} ${last.includes('Subtotal')} ${last.includes('Teamplan')}`)
    }
    expect([...ends]).toEqual(['1 true true', '2 true true'])
  })

  it('a description longer than a page continues on the next page', async () => {
    const [line] = invoicePages.sale?.('en').lines ?? []
    if (!line) throw new Error('No line')
    const description = Array.from({ length: 120 }, (_, index) => `row ${index}`).join('\n')
    const pages = await pagesOfPdf(
      await draw(await invoiceWith('sale', 'en', { lines: [{ ...line, description }, line] })),
    )
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.join('')).toContain(
      withoutSpaces(Array.from({ length: 3 }, (_, index) => `row ${index + 117}`).join('')),
    )
    expect(timesOf(withoutSpaces('€24.77'), pages.join(''))).toBe(2)
  })
})
