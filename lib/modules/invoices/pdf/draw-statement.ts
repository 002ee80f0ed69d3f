import type { StatementDocument } from '../../ledger/page.ts'
import { drawClosing, drawHead, drawParties } from './draw.ts'
import { type Look, newPdfWriter, type PdfWriter, type Position } from './pdf-writer.ts'

type Table = StatementDocument['tables'][number]

const bold: Look = { bold: true }
const [space, gap, padding] = [22, 14, 2.5]

export async function drawStatement(statement: StatementDocument): Promise<Uint8Array<ArrayBuffer>> {
  const { title, locale, madeAt, test, tables } = statement
  const pdf = newPdfWriter({ title, locale, han: 'japanese', eInvoice: null, madeAt: new Date(madeAt) })
  drawHead(pdf, { ...statement, logo: null }, null)
  pdf.y += space
  drawParties(pdf, statement)
  for (const table of tables) {
    pdf.y += space
    drawTable(pdf, table)
  }
  drawClosing(pdf, statement)
  pdf.run(test?.band ?? null, (number, of) => (of > 1 ? `${title} · ${number}/${of}` : null))
  return pdf.finish()
}

function placesOf(pdf: PdfWriter, { columns, rows }: Table): Position[] {
  const widths = columns.map((heading, column) =>
    Math.max(pdf.width(heading, bold), ...rows.map(({ cells }) => pdf.width(cells[column] ?? '', bold))),
  )
  let end = pdf.right
  const figures = widths
    .slice(1)
    .reverse()
    .map((width): Position => {
      end -= width + 1 + gap
      return { x: end + gap, width: width + 1, align: 'right' }
    })
  return [{ x: pdf.left, width: end - pdf.left }, ...figures.reverse()]
}

function drawTable(pdf: PdfWriter, table: Table): void {
  const places = placesOf(pdf, table)
  const drawRow = (type: 'TH' | 'TD', cells: readonly string[], look: Look, thickness: number) => {
    pdf.y += padding
    pdf.element('TR', () =>
      pdf.columns(
        places.map((place, column) => () => {
          pdf.write(type, cells[column] ?? '', place, look)
        }),
      ),
    )
    pdf.y += padding
    pdf.rule(thickness)
  }
  const height = (rows: number) => rows * (2 * padding + pdf.height('0', 100, bold))
  if (pdf.room() < height(table.rows.length + 3)) pdf.newPage()
  pdf.write('H2', table.heading, { x: pdf.left, width: pdf.right - pdf.left }, { bold: true, size: 11 })
  pdf.y += padding
  pdf.element('Table', () => {
    pdf.element('THead', () => drawRow('TH', table.columns, bold, 0.9))
    pdf.element('TBody', () => {
      for (const { cells, isSum } of table.rows) drawRow('TD', cells, isSum ? bold : {}, 0.3)
    })
  })
}
