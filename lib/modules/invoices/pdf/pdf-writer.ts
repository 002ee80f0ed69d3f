import PDFDocument from 'pdfkit'
import type { InvoiceDocument } from '../page.ts'
import { fontFile, fontsFor } from './faces.ts'
import { linesOf, type Run } from './lines.ts'
import { type EmbeddedFont, embedByText, openFont } from './open-font.ts'

/**
 * A4 pages to write on, saved as PDF/A-3b (ISO 19005-3): every font is embedded, and every word is tagged with its
 * role. Lengths are points (1/72 inch); `y` counts from the top.
 */
export interface PdfWriter {
  readonly left: number
  readonly right: number
  /** Where the next text begins. */
  y: number
  /** The height that is left on this page. */
  room(): number
  /** Moves to the top of a new page. */
  newPage(): void
  /** Everything drawn within is one element, such as a table or a row. */
  element(type: string, draw: () => void): void
  /** Writes a text element from `y` on and moves `y` below it, continuing on a new page where this one ends. */
  write(type: string, text: string, at: Place, look?: Look): void
  /** Reserves the position of an element among the others, to write it later. */
  reserve(type: string): (text: string, at: Place, look?: Look) => void
  /** Everything drawn within is no part of the text: it repeats what is written elsewhere. */
  decorate(draw: () => void): void
  rule(thickness: number, from?: number): void
  /** Draws columns from the same `y`, which is then below the longest. */
  columns(columns: readonly (() => void)[]): void
  width(text: string, look?: Look): number
  height(text: string, width: number, look?: Look): number
  /** A strip across the top of every page, and a line at the foot of each. */
  run(band: string | null, foot: (sheet: number, of: number) => string | null): void
  finish(): Promise<Uint8Array<ArrayBuffer>>
}

export interface Place {
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
/** Relative to the size, for every font alike. */
const lineHeight = 1.27
const margins = { top: 52, bottom: 44, left: 51, right: 51 }
/** Kept clear above the bottom margin, so that only text longer than a page is ever split by it. */
const reserveAtBottom = 10

/**
 * Title, language and date are stored in the file, and nothing else that is not drawn, so that the file is the same
 * each time.
 */
export function newPdfWriter(about: {
  title: string
  locale: string
  madeAt: Date
  han: InvoiceDocument['han']
}): PdfWriter {
  const fonts = fontsFor(about.han)
  const doc = new PDFDocument({
    size: 'A4',
    margins,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    lang: about.locale,
    displayTitle: true,
    bufferPages: true,
    font: openFont(fontFile(fonts[0], false)) as never,
    info: { Title: about.title, CreationDate: about.madeAt, Creator: 'Billhook', Producer: 'Billhook' },
  })
  let parent = doc.struct('Document')
  let isDecorating = false
  doc.addStructure(parent)

  const embedded = new Map<string, EmbeddedFont>()
  /** Selects a font for the next measurement or text; it is opened at its first use. */
  function take(face: string, { size = plainSize, bold = false }: Look): EmbeddedFont {
    const key = `${face} ${bold}`
    const font = embedded.get(key) ?? embed(face, bold)
    embedded.set(key, font)
    holderOf(doc)._font = font
    doc.fontSize(size)
    return font
  }
  function embed(face: string, bold: boolean): EmbeddedFont {
    const font = fonts.find(({ name }) => name === face) ?? fonts[0]
    doc.font(openFont(fontFile(font, bold)) as never)
    embedByText(holderOf(doc)._font)
    return holderOf(doc)._font
  }
  const widthOf = (run: Run, look: Look): number => {
    take(run.face, look)
    return doc.widthOfString(run.text)
  }
  const lengthOf = (line: readonly Run[], look: Look) => line.reduce((sum, run) => sum + widthOf(run, look), 0)
  const heightOfLine = ({ size = plainSize }: Look) => size * lineHeight

  /** Caches lines between measuring and writing. */
  const broken = new Map<string, Run[][]>()
  function lines(text: string, width: number, look: Look): Run[][] {
    const key = `${look.size} ${look.bold} ${width} ${text}`
    const known = broken.get(key)
    if (known) return known
    const faces = fonts.map(({ isFor, ...font }) => ({
      ...font,
      has: (codePoint: number) =>
        isFor.test(String.fromCodePoint(codePoint)) && take(font.name, look).font.hasGlyphForCodePoint(codePoint),
    }))
    const made = linesOf(text, width, { faces, widthOf: (run) => widthOf(run, look) })
    broken.set(key, made)
    return made
  }

  /** Writes a line from `x` on, all its fonts on one baseline. */
  function putLine(line: readonly Run[], x: number, y: number, look: Look): void {
    const { ascender } = take(fonts[0].name, look)
    const { size = plainSize, soft = false } = look
    const base = y + (ascender / 1000) * size
    doc.fillColor(soft ? softInk : ink)
    let at = x
    for (const run of line) {
      const length = widthOf(run, look)
      // Word by word, which is pdfkit's default, right-to-left text would come in the wrong order.
      const whole = run.isRightToLeft && { features: [] }
      doc.text(run.text, at, base, { lineBreak: false, baseline: 'alphabetic', ...whole })
      at += length
    }
  }

  function put(text: string, { x, width, align = 'left' }: Place, look: Look = {}): void {
    const height = heightOfLine(look)
    let { y } = doc
    for (const line of lines(text, width, look)) {
      if (y + height > doc.page.height - margins.bottom) {
        doc.continueOnNewPage()
        y = margins.top
      }
      putLine(line, align === 'right' ? x + width - lengthOf(line, look) : x, y, look)
      y += height
    }
    doc.y = y
  }

  function decorate(draw: () => void): void {
    const isWithin = isDecorating
    isDecorating = true
    if (!isWithin) doc.markContent('Artifact', { type: 'Pagination' })
    draw()
    if (!isWithin) doc.endMarkedContent()
    isDecorating = isWithin
  }

  const pdf: PdfWriter = {
    left: margins.left,
    right: doc.page.width - margins.right,
    get y() {
      return doc.y
    },
    set y(y) {
      doc.y = y
    },
    room: () => doc.page.height - margins.bottom - reserveAtBottom - doc.y,
    newPage: () => void doc.addPage(),
    element(type, draw) {
      if (isDecorating) return draw()
      const outer = parent
      parent = doc.struct(type)
      outer.add(parent)
      draw()
      parent = outer
    },
    write: (type, text, at, look) => pdf.reserve(type)(text, at, look),
    reserve(type) {
      if (isDecorating) return put
      const element = doc.struct(type, type === 'TH' ? headOfColumn : {})
      parent.add(element)
      return (text, at, look) => void element.add(() => put(text, at, look))
    },
    decorate,
    rule: (thickness, from = margins.left) =>
      decorate(() =>
        doc
          .moveTo(from, doc.y)
          .lineTo(pdf.right, doc.y)
          .lineWidth(thickness)
          .stroke(thickness < 0.5 ? faint : ink),
      ),
    columns(columns) {
      const { page: sheet, y: top } = doc
      let end = top
      for (const draw of columns) {
        if (doc.page === sheet) doc.y = top
        draw()
        end = doc.page === sheet ? Math.max(end, doc.y) : doc.y
      }
      doc.y = end
    },
    width: (text, look = {}) => Math.max(...lines(text, Infinity, look).map((line) => lengthOf(line, look))),
    height: (text, width, look = {}) => lines(text, width, look).length * heightOfLine(look),
    run(band, foot) {
      const { start, count } = doc.bufferedPageRange()
      for (let sheet = 1; sheet <= count; sheet++) {
        doc.switchToPage(start + sheet - 1)
        const { width, height } = doc.page
        const center = (text: string, y: number, look: Look) => {
          const [line = []] = lines(text, Infinity, look)
          putLine(line, (width - lengthOf(line, look)) / 2, y, look)
        }
        decorate(() => {
          if (band !== null) {
            doc.rect(0, 0, width, 24).fill(strip)
            center(band, 6, { bold: true })
          }
          const line = foot(sheet, count)
          if (line !== null) center(line, height - 36, { soft: true })
        })
      }
    },
    async finish() {
      doc.end()
      const chunks: Uint8Array[] = []
      for await (const chunk of doc) chunks.push(chunk)
      return new Uint8Array(Buffer.concat(chunks))
    },
  }
  return pdf
}

/** The font in use, which pdfkit otherwise looks up by name each time. */
const holderOf = (doc: PDFKit.PDFDocument) => doc as unknown as { _font: EmbeddedFont }

/** Missing in pdfkit's types. */
const headOfColumn = { scope: 'Column' } as PDFKit.Mixins.StructureElementOptions
