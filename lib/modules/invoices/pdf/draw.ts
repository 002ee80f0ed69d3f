import type { StatementDocument } from '../../ledger/page.ts'
import type { InvoiceDocument, InvoiceDocumentLine } from '../page.ts'
import { type Look, newPdfWriter, type PdfWriter, type Position } from './pdf-writer.ts'

export async function draw(invoice: InvoiceDocument, logo: Uint8Array | null = null): Promise<Uint8Array<ArrayBuffer>> {
  const { title, locale, han, eInvoice } = invoice
  const pdf = newPdfWriter({ title, locale, han, eInvoice, madeAt: new Date(invoice.madeAt) })
  const space = logo ? 16 : 22
  if (logo) pdf.y -= 12
  drawHead(pdf, invoice, logo)
  pdf.y += space
  drawParties(pdf, invoice)
  pdf.y += space
  drawLines(pdf, invoice)
  pdf.y += between.lines
  drawSums(pdf, invoice)
  drawClosing(pdf, invoice)
  pdf.run(invoice.test?.band ?? null, (number, of) => (of > 1 ? `${invoice.title} · ${number}/${of}` : null))
  return pdf.finish()
}

const bold: Look = { bold: true }
const soft: Look = { soft: true }
const gap = 14

function halves({ left, right }: PdfWriter): [Position, Position] {
  const width = (right - left - gap) / 2
  return [
    { x: left, width },
    { x: right - width, width },
  ]
}

type Head = Pick<StatementDocument, 'heading' | 'test' | 'facts'> & { readonly logo: InvoiceDocument['logo'] }

const logoBox = { width: 150, height: 30 }

export function drawHead(pdf: PdfWriter, { heading, test, facts, logo }: Head, picture: Uint8Array | null): void {
  const [first, { x, width }] = halves(pdf)
  const label = { x, width: Math.min(width / 2, 2 + Math.max(...facts.map((fact) => pdf.width(fact.label)))) }
  const value = { x: x + label.width + gap, width: width - label.width - gap }
  pdf.columns([
    () => {
      if (logo && picture) {
        pdf.image(picture, { ...logoBox, x: first.x, text: logo.name, isOnPlate: logo.plates.light })
        pdf.y += 12
      }
      pdf.y -= 6 // Removes the space above the letters of a large title.
      pdf.write('H1', heading, first, { bold: true, size: 18 })
      pdf.y += 3
      if (test) pdf.write('P', test.note, first, bold)
    },
    () =>
      pdf.element('L', () => {
        for (const [index, fact] of facts.entries())
          pdf.element('LI', () =>
            pdf.columns([
              () => pdf.write('Lbl', fact.label, label, soft),
              () => pdf.write('LBody', fact.value, value, index === 0 ? bold : {}),
            ]),
          )
      }),
  ])
}

export function drawParties(pdf: PdfWriter, { parties }: Pick<StatementDocument, 'parties'>): void {
  const [first, second] = halves(pdf)
  pdf.columns(
    parties.map(({ heading, name, lines }, index) => () => {
      const place = index === 0 ? first : second
      pdf.element('Sect', () => {
        pdf.write('H2', heading, place, soft)
        pdf.y += 2
        pdf.write('P', name, place, bold)
        for (const line of lines) pdf.write('P', line, place)
      })
    }),
  )
}

const figures = ['amount', 'tax', 'unitPrice', 'quantity'] as const
const padding = 2.5
const leastPadding = 0.75
type Line = InvoiceDocument['lines'][number]
type Cells = Readonly<Record<keyof InvoiceDocumentLine, Position>>

/** Columns for figures are as wide as their figures, and their headings may wrap. The description gets the remaining width. */
function cellsOf(pdf: PdfWriter, { columns, lines }: InvoiceDocument): Cells {
  const widest = (words: readonly string[], look?: Look) => Math.max(...words.map((word) => pdf.width(word, look)))
  const widths = figures.map((column) => {
    const [figure, head] = [widest(lines.map((line) => line[column])), columns[column]]
    return {
      whole: 1 + Math.max(figure, widest([head], bold)),
      least: 1 + Math.max(figure, widest(head.split(' '), bold)),
    }
  })
  const described = lines.flatMap(({ description, notes }) => [...description.split('\n'), ...notes])
  const roomFor = (taken: number) => sum(widths.map(({ whole }) => whole + gap)) + taken < pdf.right - pdf.left
  const isRoomy = roomFor((pdf.right - pdf.left) / 2) || roomFor(1 + widest([columns.description, ...described]))
  let end = pdf.right
  const cells = widths.map(({ whole, least }, index) => {
    const width = isRoomy ? whole : least
    end -= width + gap
    return [figures[index], { x: end + gap, width, align: 'right' }] as const
  })
  const description = { x: pdf.left, width: end - pdf.left }
  return { description, ...(Object.fromEntries(cells) as Omit<Cells, 'description'>) }
}

const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0)

const columnsInOrder = ['description', 'quantity', 'unitPrice', 'tax', 'amount'] as const

function textHeights(pdf: PdfWriter, { columns, lines }: InvoiceDocument, cells: Cells) {
  const { width } = cells.description
  const heightOf = (line: InvoiceDocumentLine & Partial<Pick<Line, 'notes'>>, look?: Look) => {
    const notes = sum((line.notes ?? []).map((note) => pdf.height(note, width)))
    const heights = columnsInOrder.map((column) => pdf.height(line[column], cells[column].width, look))
    return Math.max(...heights, notes + (heights[0] ?? 0))
  }
  return { head: heightOf(columns, bold), lines: lines.map((line) => heightOf(line)) }
}

/**
 * Returns the padding above and below each invoice line, in points. The padding is reduced if the reduction makes the whole invoice fit on one page. An
 * invoice of fifteen lines fits on one page, even if each line states its service period.
 */
function paddingOf(pdf: PdfWriter, { head, lines }: ReturnType<typeof textHeights>, sumsHeight: number): number {
  const left = pdf.room() - head - sum(lines) - sumsHeight
  const most = left / (2 * (1 + lines.length))
  return most >= leastPadding ? Math.min(padding, most) : padding
}

function drawLines(pdf: PdfWriter, invoice: InvoiceDocument): void {
  const { columns, lines } = invoice
  const cells = cellsOf(pdf, invoice)
  const texts = textHeights(pdf, invoice, cells)
  const sumsHeight = between.lines + sumsLayout(pdf, invoice).height
  const padding = paddingOf(pdf, texts, sumsHeight)
  const headHeight = 2 * padding + texts.head
  const heights = texts.lines.map((height) => 2 * padding + height)

  const drawRow = (drawCells: () => void, thickness: number) => {
    pdf.y += padding
    pdf.element('TR', drawCells)
    pdf.y += padding
    pdf.rule(thickness)
  }
  const drawHeads = () =>
    drawRow(() => {
      const foot = pdf.y + headHeight - 2 * padding
      for (const column of columnsInOrder) {
        pdf.y = foot - pdf.height(columns[column], cells[column].width, bold)
        pdf.write('TH', columns[column], cells[column], bold)
      }
    }, 0.9)
  const drawLine = (line: Line) =>
    drawRow(() => {
      const places = columnsInOrder.map((column) => ({ column, write: pdf.reserve('TD') }))
      // Only a description can continue on the next page, so the description is drawn last.
      pdf.columns(
        places.reverse().map(({ column, write }) => () => {
          write(line[column], cells[column])
          if (column === 'description') for (const note of line.notes) write(note, cells.description, soft)
        }),
      )
    }, 0.3)

  const [first] = heights
  if (first && pdf.room() < headHeight + first) pdf.newPage()
  pdf.element('Table', () => {
    pdf.element('THead', drawHeads)
    pdf.element('TBody', () => {
      for (const [index, line] of lines.entries()) {
        // The last line moves to the next page with the sums, so that the sums are never alone on a page.
        const isCarried = index > 0 && index === lines.length - 1
        if (pdf.room() < (heights[index] ?? 0) + (isCarried ? sumsHeight : 0)) {
          pdf.newPage()
          pdf.decorate(drawHeads)
        }
        drawLine(line)
      }
    })
  })
}

const large: Look = { bold: true, size: 11 }

function sumsLayout(pdf: PdfWriter, { sums, total, netNote, closing }: InvoiceDocument) {
  const rows = [...sums.map((said) => ({ ...said, look: {} })), { ...total, look: large }]
  const x = pdf.right - 290
  const width = 1 + Math.max(...rows.map(({ value, look }) => pdf.width(value, look)))
  const value = { x: pdf.right - width, width, align: 'right' } as const
  const label = { x, width: value.x - gap - x }
  const note = { x: pdf.left, width: x - 2 * gap - pdf.left }
  const height = sum(rows.map((row) => 2 * padding + pdf.height(row.label, label.width, row.look)))
  const beside = padding + pdf.height(netNote, note.width)
  return { rows, x, value, label, note, height: Math.max(height, beside) + closingHeight(pdf, closing) }
}

function drawSums(pdf: PdfWriter, invoice: InvoiceDocument): void {
  const { rows, x, value, label, note, height } = sumsLayout(pdf, invoice)
  if (pdf.room() < height) pdf.newPage()
  pdf.columns([
    () => {
      pdf.y += padding
      pdf.write('P', invoice.netNote, note, soft)
    },
    () =>
      pdf.element('L', () => {
        for (const row of rows) {
          if (row.look === large) pdf.rule(0.9, x)
          pdf.y += padding
          pdf.element('LI', () =>
            pdf.columns([
              () => pdf.write('Lbl', row.label, label, row.look),
              () => pdf.write('LBody', row.value, value, row.look),
            ]),
          )
          pdf.y += padding
        }
      }),
  ])
}

const between = { lines: 8, sums: 16, rule: 8, sentences: 4 }
const wholeWidth = ({ left, right }: PdfWriter): Position => ({ x: left, width: right - left })

const closingHeight = (pdf: PdfWriter, closing: readonly string[]): number =>
  between.sums +
  between.rule +
  sum(closing.map((sentence) => pdf.height(sentence, wholeWidth(pdf).width) + between.sentences))

export function drawClosing(pdf: PdfWriter, { closing }: Pick<StatementDocument, 'closing'>): void {
  pdf.y += between.sums
  pdf.rule(0.3)
  pdf.y += between.rule
  for (const sentence of closing) {
    pdf.write('P', sentence, wholeWidth(pdf))
    pdf.y += between.sentences
  }
}
