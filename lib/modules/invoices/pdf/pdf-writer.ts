import PDFDocument from 'pdfkit'
import type { InvoiceDocument } from '../page.ts'
import { embedEInvoice } from './e-invoice.ts'
import { fontFile, fontsFor } from './faces.ts'
import { linesOf, type Run } from './lines.ts'
import { type EmbeddedFont, openFont, prepare } from './open-font.ts'
import { type Frame, openPicture } from './picture.ts'

/** Writes PDF/A-3b (ISO 19005-3) with embedded fonts and tagged text. Lengths are points (1/72 inch). `y` is measured from the top. */
export interface PdfWriter {
  readonly left: number
  readonly right: number
  y: number
  room(): number
  newPage(): void
  /** Tags everything that `draw` draws as one element, such as a table or a row. */
  element(type: string, draw: () => void): void
  /** Moves `y` below the text. A text that does not fit continues on a new page. */
  write(type: string, text: string, at: Position, look?: Look): void
  reserve(type: string): (text: string, at: Position, look?: Look) => void
  /** Does not tag the output of `draw`, because the output repeats other text. */
  decorate(draw: () => void): void
  rule(thickness: number, from?: number): void
  image(bytes: Uint8Array, frame: Frame): void
  columns(columns: readonly (() => void)[]): void
  width(text: string, look?: Look): number
  height(text: string, width: number, look?: Look): number
  run(band: string | null, foot: (page: number, of: number) => string | null): void
  finish(): Promise<Uint8Array<ArrayBuffer>>
}

export interface Position {
  readonly x: number
  readonly width: number
  readonly align?: 'left' | 'right'
}

export interface Look {
  readonly size?: number
  readonly bold?: boolean
  readonly soft?: boolean
}

const ink = '#1b1c1f'
const softInk = '#5b5e66'
const faint = '#bdbbb5'
const strip = '#e9e8e4'
const plainSize = 9
const lineHeight = 1.27 // `lineHeight` is a multiple of the font size.
const margins = { top: 52, bottom: 44, left: 51, right: 51 }
const reserveAtBottom = 10 // `reserveAtBottom` is in points. Only a text higher than `room()` extends into it.

interface About {
  readonly title: string
  readonly locale: string
  readonly madeAt: Date
  readonly han: InvoiceDocument['han']
  readonly eInvoice: string | null
}

/** The file depends only on `about` and the written content, so that equal content gives equal bytes. */
export const newPdfWriter = (about: About): PdfWriter => new Writer(about)

class Writer implements PdfWriter {
  readonly left = margins.left
  readonly right: number
  private readonly fonts: ReturnType<typeof fontsFor>
  private readonly doc: PDFKit.PDFDocument
  private parent: PDFKit.PDFStructureElement
  private isDecorating = false
  private readonly embedded = new Map<string, EmbeddedFont>()
  private readonly broken = new Map<string, Run[][]>()

  constructor({ title, locale, madeAt, han, eInvoice }: About) {
    this.fonts = fontsFor(han)
    this.doc = new PDFDocument({
      size: 'A4',
      margins,
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      tagged: true,
      lang: locale,
      displayTitle: true,
      bufferPages: true,
      font: openFont(fontFile(this.fonts[0], false)) as never,
      info: { Title: title, CreationDate: madeAt, Creator: 'Billhook', Producer: 'Billhook' },
    })
    this.right = this.doc.page.width - margins.right
    this.parent = this.doc.struct('Document')
    this.doc.addStructure(this.parent)
    if (eInvoice !== null) embedEInvoice(this.doc, eInvoice, madeAt)
  }

  get y(): number {
    return this.doc.y
  }

  set y(y: number) {
    this.doc.y = y
  }

  room(): number {
    return this.doc.page.height - margins.bottom - reserveAtBottom - this.doc.y
  }

  newPage(): void {
    this.doc.addPage()
  }

  element(type: string, draw: () => void): void {
    if (this.isDecorating) {
      draw()
      return
    }
    const outer = this.parent
    this.parent = this.doc.struct(type)
    outer.add(this.parent)
    draw()
    this.parent = outer
  }

  write(type: string, text: string, at: Position, look?: Look): void {
    this.reserve(type)(text, at, look)
  }

  reserve(type: string): (text: string, at: Position, look?: Look) => void {
    if (this.isDecorating) return (text, at, look) => this.put(text, at, look)
    const element = this.doc.struct(
      type,
      type === 'TH' ? ({ scope: 'Column' } as PDFKit.Mixins.StructureElementOptions) : {},
    )
    this.parent.add(element)
    return (text, at, look) => void element.add(() => this.put(text, at, look))
  }

  decorate(draw: () => void): void {
    const isWithin = this.isDecorating
    this.isDecorating = true
    if (!isWithin) this.doc.markContent('Artifact', { type: 'Pagination' })
    draw()
    if (!isWithin) this.doc.endMarkedContent()
    this.isDecorating = isWithin
  }

  rule(thickness: number, from = margins.left): void {
    const { doc } = this
    const color = thickness < 0.5 ? faint : ink
    this.decorate(() => doc.moveTo(from, doc.y).lineTo(this.right, doc.y).lineWidth(thickness).stroke(color))
  }

  image(bytes: Uint8Array, frame: Frame): void {
    const { doc, y } = this
    const { x, isOnPlate, text: alt } = frame
    const edge = isOnPlate ? 3 : 0
    const picture = openPicture(doc, bytes, { width: frame.width - 2 * edge, height: frame.height - 2 * edge })
    const [width, height] = [picture.width + 2 * edge, picture.height + 2 * edge]
    if (isOnPlate) this.decorate(() => doc.roundedRect(x, y, width, height, 3).fill(ink))
    this.parent.add(doc.struct('Figure', { alt }, () => picture.draw(x + edge, y + edge)))
    doc.y = y + height
  }

  columns(columns: readonly (() => void)[]): void {
    const { doc } = this
    const { page: first, y: top } = doc
    let end = top
    for (const draw of columns) {
      if (doc.page === first) doc.y = top
      draw()
      end = doc.page === first ? Math.max(end, doc.y) : doc.y
    }
    doc.y = end
  }

  width(text: string, look: Look = {}): number {
    return Math.max(...this.lines(text, Infinity, look).map((line) => this.lengthOf(line, look)))
  }

  height(text: string, width: number, look: Look = {}): number {
    return this.lines(text, width, look).length * heightOfLine(look)
  }

  run(band: string | null, foot: (page: number, of: number) => string | null): void {
    const { doc } = this
    const { start, count } = doc.bufferedPageRange()
    for (let page = 1; page <= count; page++) {
      doc.switchToPage(start + page - 1)
      const { width, height } = doc.page
      this.decorate(() => {
        if (band !== null) {
          doc.rect(0, 0, width, 24).fill(strip)
          this.center(band, 6, { bold: true })
        }
        const line = foot(page, count)
        if (line !== null) this.center(line, height - 36, { soft: true })
      })
    }
  }

  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    this.doc.end()
    const chunks: Uint8Array[] = []
    for await (const chunk of this.doc) chunks.push(chunk as Uint8Array)
    return new Uint8Array(Buffer.concat(chunks))
  }

  private take(face: string, { size = plainSize, bold = false }: Look): EmbeddedFont {
    const key = `${face} ${bold}`
    const font = this.embedded.get(key) ?? this.embed(face, bold)
    this.embedded.set(key, font)
    holderOf(this.doc)._font = font
    this.doc.fontSize(size)
    return font
  }

  private embed(face: string, bold: boolean): EmbeddedFont {
    const font = this.fonts.find(({ name }) => name === face) ?? this.fonts[0]
    const file = fontFile(font, bold)
    this.doc.font(openFont(file) as never)
    return prepare(holderOf(this.doc)._font, font.isComplex ? file : null)
  }

  private widthOf(run: Run, look: Look): number {
    this.take(run.face, look)
    return this.doc.widthOfString(run.text)
  }

  private lengthOf(line: readonly Run[], look: Look): number {
    return line.reduce((sum, run) => sum + this.widthOf(run, look), 0)
  }

  private lines(text: string, width: number, look: Look): Run[][] {
    const key = `${look.size} ${look.bold} ${width} ${text}`
    const known = this.broken.get(key)
    if (known) return known
    const faces = this.fonts.map(({ isFor, ...font }) => ({
      ...font,
      has: (codePoint: number) =>
        isFor.test(String.fromCodePoint(codePoint)) && this.take(font.name, look).font.hasGlyphForCodePoint(codePoint),
    }))
    const made = linesOf(text, width, { faces, widthOf: (run) => this.widthOf(run, look) })
    this.broken.set(key, made)
    return made
  }

  private putLine(line: readonly Run[], x: number, y: number, look: Look): void {
    const { doc } = this
    const { ascender } = this.take(this.fonts[0].name, look)
    const { size = plainSize, soft = false } = look
    const base = y + (ascender / 1000) * size
    doc.fillColor(soft ? softInk : ink)
    let at = x
    for (const run of line) {
      const length = this.widthOf(run, look)
      // Without `features`, pdfkit writes word by word, which puts right-to-left words in the wrong order.
      const whole = run.isRightToLeft && { features: [] }
      doc.text(run.text, at, base, { lineBreak: false, baseline: 'alphabetic', ...whole })
      at += length
    }
  }

  private put(text: string, { x, width, align = 'left' }: Position, look: Look = {}): void {
    const { doc } = this
    const height = heightOfLine(look)
    let { y } = doc
    for (const line of this.lines(text, width, look)) {
      if (y + height > doc.page.height - margins.bottom) {
        doc.continueOnNewPage()
        y = margins.top
      }
      this.putLine(line, align === 'right' ? x + width - this.lengthOf(line, look) : x, y, look)
      y += height
    }
    doc.y = y
  }

  private center(text: string, y: number, look: Look): void {
    const [line = []] = this.lines(text, Infinity, look)
    this.putLine(line, (this.doc.page.width - this.lengthOf(line, look)) / 2, y, look)
  }
}

const heightOfLine = ({ size = plainSize }: Look): number => size * lineHeight

/** pdfkit has no public property for the current font. */
const holderOf = (doc: PDFKit.PDFDocument) => doc as unknown as { _font: EmbeddedFont }
