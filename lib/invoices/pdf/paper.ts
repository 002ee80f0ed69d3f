import { createRequire } from 'node:module'
import path from 'node:path'
import PDFDocument from 'pdfkit'
import { type Glyphs, legible } from './legible.ts'

/**
 * Sheets of A4 to write on, kept as PDF/A-3b (ISO 19005-3): every font inside, every word tagged with what it is. Lengths
 * are points (1/72 inch), `y` counts from the top.
 */
export interface Paper {
  readonly left: number
  readonly right: number
  /** Where what is written next begins. */
  y: number
  /** How much of this sheet is left. */
  room(): number
  /** To the top of a new sheet. */
  turn(): void
  /** What is written within is one element, such as a table or a row of it. */
  element(type: string, draw: () => void): void
  /** Writes an element of text from `y` on and moves `y` below it: to a new sheet where this one ends. */
  write(type: string, text: string, at: Place, look?: Look): void
  /** Keeps the place of an element among the others, to write it later. */
  reserve(type: string): (text: string, at: Place, look?: Look) => void
  /** What is written within is no part of the text: it says again what is said elsewhere. */
  decorate(draw: () => void): void
  rule(thickness: number, from?: number): void
  /** Columns from the same `y`, which is then below the longest. */
  abreast(columns: readonly (() => void)[]): void
  width(text: string, look?: Look): number
  height(text: string, width: number, look?: Look): number
  /** A strip across the top of every sheet, and a line at the foot of each. */
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
/** Of the size: the font's own distance between lines is for taller scripts. */
const lineHeight = 1.27
const margins = { top: 52, bottom: 44, left: 51, right: 51 }
/** Kept clear above the bottom margin, so that only what is longer than a sheet is ever cut by it. */
const reserveAtBottom = 10

/** Looked for from the program's folder: bundling moves this file, and leaves the fonts where they are. */
const fontFile = (name: string) =>
  createRequire(path.join(process.cwd(), 'package.json')).resolve(`@expo-google-fonts/noto-sans/${name}.ttf`)

/** Title, language and date stand in the file; nothing else does that is not written on it, so it is the same file each time. */
export function newPaper(about: { title: string; locale: string; madeAt: Date }): Paper {
  // Read anew for each paper: a font that has been written with once remembers other letters for some of its glyphs.
  const fonts = {
    regular: fontFile('400Regular/NotoSans_400Regular'),
    bold: fontFile('600SemiBold/NotoSans_600SemiBold'),
  }
  const doc = new PDFDocument({
    size: 'A4',
    margins,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    lang: about.locale,
    displayTitle: true,
    bufferPages: true,
    font: fonts.regular,
    info: { Title: about.title, CreationDate: about.madeAt, Creator: 'Billhook', Producer: 'Billhook' },
  })
  let parent = doc.struct('Document')
  let isDecorating = false
  doc.addStructure(parent)

  /** Takes a look for what is measured or written next. Answers the text as its font can show it. */
  function dress(text: string, { size = plainSize, bold = false, soft = false }: Look = {}): string {
    doc.font(bold ? fonts.bold : fonts.regular, size)
    doc.lineGap(size * lineHeight - doc.currentLineHeight(true)).fillColor(soft ? softInk : ink)
    return legible(text, glyphsOf(doc))
  }

  function put(text: string, { x, width, align = 'left' }: Place, look?: Look): void {
    doc.text(dress(text, look), x, doc.y, { width, align })
  }

  function decorate(draw: () => void): void {
    const isWithin = isDecorating
    isDecorating = true
    if (!isWithin) doc.markContent('Artifact', { type: 'Pagination' })
    draw()
    if (!isWithin) doc.endMarkedContent()
    isDecorating = isWithin
  }

  const paper: Paper = {
    left: margins.left,
    right: doc.page.width - margins.right,
    get y() {
      return doc.y
    },
    set y(y) {
      doc.y = y
    },
    room: () => doc.page.height - margins.bottom - reserveAtBottom - doc.y,
    turn: () => void doc.addPage(),
    element(type, draw) {
      if (isDecorating) return draw()
      const outer = parent
      parent = doc.struct(type)
      outer.add(parent)
      draw()
      parent = outer
    },
    write: (type, text, at, look) => paper.reserve(type)(text, at, look),
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
          .lineTo(paper.right, doc.y)
          .lineWidth(thickness)
          .stroke(thickness < 0.5 ? faint : ink),
      ),
    abreast(columns) {
      const { page: sheet, y: top } = doc
      let end = top
      for (const draw of columns) {
        if (doc.page === sheet) doc.y = top
        draw()
        end = doc.page === sheet ? Math.max(end, doc.y) : doc.y
      }
      doc.y = end
    },
    width: (text, look) =>
      Math.max(
        ...dress(text, look)
          .split('\n')
          .map((line) => doc.widthOfString(line)),
      ),
    height: (text, width, look) => doc.heightOfString(dress(text, look), { width }),
    run(band, foot) {
      const { start, count } = doc.bufferedPageRange()
      for (let sheet = 1; sheet <= count; sheet++) {
        doc.switchToPage(start + sheet - 1)
        const { width, height } = doc.page
        const center = (text: string, y: number) =>
          doc.text(text, (width - doc.widthOfString(text)) / 2, y, { lineBreak: false })
        decorate(() => {
          if (band !== null) {
            doc.rect(0, 0, width, 24).fill(strip)
            center(dress(band, { bold: true }), 6)
          }
          const line = foot(sheet, count)
          if (line !== null) center(dress(line, { soft: true }), height - 36)
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
  return paper
}

/** Not in the types of pdfkit. */
const headOfColumn = { scope: 'Column' } as PDFKit.Mixins.StructureElementOptions
const glyphsOf = (doc: PDFKit.PDFDocument) => (doc as unknown as { _font: { font: Glyphs } })._font.font
