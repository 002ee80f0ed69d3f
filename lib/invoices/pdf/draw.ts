import type { Sheet, SheetLine } from '../page.ts'
import { type Look, newPaper, type Paper, type Place } from './paper.ts'

/** An invoice or a credit note as a file: what its page says, on as many sheets of A4 as it takes. Of the same sheet the same bytes. */
export async function draw(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  const { title, locale, han } = sheet
  const paper = newPaper({ title, locale, han, madeAt: new Date(sheet.madeAt) })
  drawHead(paper, sheet)
  paper.y += 22
  drawParties(paper, sheet)
  paper.y += 22
  drawLines(paper, sheet)
  paper.y += 8
  drawSums(paper, sheet)
  drawClosing(paper, sheet)
  paper.run(sheet.test?.band ?? null, (number, of) => (of > 1 ? `${sheet.title} · ${number}/${of}` : null))
  return paper.finish()
}

const bold: Look = { bold: true }
const soft: Look = { soft: true }
const gap = 14

/** The two halves of the sheet's width. */
function halves({ left, right }: Paper): [Place, Place] {
  const width = (right - left - gap) / 2
  return [
    { x: left, width },
    { x: right - width, width },
  ]
}

function drawHead(paper: Paper, { heading, test, facts }: Sheet): void {
  const [first, { x, width }] = halves(paper)
  const label = { x, width: Math.min(width / 2, 2 + Math.max(...facts.map((fact) => paper.width(fact.label)))) }
  const value = { x: x + label.width + gap, width: width - label.width - gap }
  paper.abreast([
    () => {
      paper.y -= 6 // what a title of this size has above its letters
      paper.write('H1', heading, first, { bold: true, size: 18 })
      paper.y += 3
      if (test) paper.write('P', test.note, first, bold)
    },
    () =>
      paper.element('L', () => {
        for (const [index, fact] of facts.entries())
          paper.element('LI', () =>
            paper.abreast([
              () => paper.write('Lbl', fact.label, label, soft),
              () => paper.write('LBody', fact.value, value, index === 0 ? bold : {}),
            ]),
          )
      }),
  ])
}

function drawParties(paper: Paper, { parties }: Sheet): void {
  const [first, second] = halves(paper)
  paper.abreast(
    parties.map(({ heading, name, lines }, index) => () => {
      const place = index === 0 ? first : second
      paper.element('Sect', () => {
        paper.write('H2', heading, place, soft)
        paper.y += 2
        paper.write('P', name, place, bold)
        for (const line of lines) paper.write('P', line, place)
      })
    }),
  )
}

const figures = ['amount', 'tax', 'unitPrice', 'quantity'] as const
const padding = 2.5
type Line = Sheet['lines'][number]
type Cells = Readonly<Record<keyof SheetLine, Place>>

/** From the right, each as wide as its figures and its head; what is left is the description's. Where that is little, heads wrap. */
function cellsOf(paper: Paper, { columns, lines }: Sheet): Cells {
  const widest = (words: readonly string[], look?: Look) => Math.max(...words.map((word) => paper.width(word, look)))
  const widths = figures.map((column) => {
    const [figure, head] = [widest(lines.map((line) => line[column])), columns[column]]
    return {
      whole: 1 + Math.max(figure, widest([head], bold)),
      least: 1 + Math.max(figure, widest(head.split(' '), bold)),
    }
  })
  const isRoomy = sum(widths.map(({ whole }) => whole + gap)) < (paper.right - paper.left) / 2
  let end = paper.right
  const cells = widths.map(({ whole, least }, index) => {
    const width = isRoomy ? whole : least
    end -= width + gap
    return [figures[index], { x: end + gap, width, align: 'right' }] as const
  })
  const description = { x: paper.left, width: end - paper.left }
  return { description, ...(Object.fromEntries(cells) as Omit<Cells, 'description'>) }
}

const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0)

/** In the order in which they are read. */
const columnsInOrder = ['description', 'quantity', 'unitPrice', 'tax', 'amount'] as const

function drawLines(paper: Paper, sheet: Sheet): void {
  const { columns, lines } = sheet
  const cells = cellsOf(paper, sheet)
  const { width } = cells.description
  const heightOf = (line: SheetLine & Partial<Pick<Line, 'notes'>>, look?: Look) => {
    const notes = sum((line.notes ?? []).map((note) => paper.height(note, width)))
    const heights = columnsInOrder.map((column) => paper.height(line[column], cells[column].width, look))
    return 2 * padding + Math.max(...heights, notes + (heights[0] ?? 0))
  }
  const headHeight = heightOf(columns, bold)

  const drawRow = (drawCells: () => void, thickness: number) => {
    paper.y += padding
    paper.element('TR', drawCells)
    paper.y += padding
    paper.rule(thickness)
  }
  /** Heads stand at the foot of their row. */
  const drawHeads = () =>
    drawRow(() => {
      const foot = paper.y + headHeight - 2 * padding
      for (const column of columnsInOrder) {
        paper.y = foot - paper.height(columns[column], cells[column].width, bold)
        paper.write('TH', columns[column], cells[column], bold)
      }
    }, 0.9)
  const drawLine = (line: Line) =>
    drawRow(() => {
      const places = columnsInOrder.map((column) => ({ column, write: paper.reserve('TD') }))
      // The description last: it alone may be longer than a sheet.
      paper.abreast(
        places.reverse().map(({ column, write }) => () => {
          write(line[column], cells[column])
          if (column === 'description') for (const note of line.notes) write(note, cells.description, soft)
        }),
      )
    }, 0.3)

  const [first] = lines
  if (first && paper.room() < headHeight + heightOf(first)) paper.turn()
  paper.element('Table', () => {
    paper.element('THead', drawHeads)
    paper.element('TBody', () => {
      for (const line of lines) {
        if (paper.room() < heightOf(line)) {
          paper.turn()
          paper.decorate(drawHeads)
        }
        drawLine(line)
      }
    })
  })
}

function drawSums(paper: Paper, { sums, total, netNote, closing }: Sheet): void {
  const large: Look = { bold: true, size: 11 }
  const rows = [...sums.map((said) => ({ ...said, look: {} })), { ...total, look: large }]
  const x = paper.right - 290
  const width = 1 + Math.max(...rows.map(({ value, look }) => paper.width(value, look)))
  const value = { x: paper.right - width, width, align: 'right' } as const
  const label = { x, width: value.x - gap - x }
  const note = { x: paper.left, width: x - 2 * gap - paper.left }
  const height = sum(rows.map((row) => 2 * padding + paper.height(row.label, label.width, row.look)))

  // What was paid, and how, stays together.
  const needed = Math.max(height, paper.height(netNote, note.width)) + closingHeight(paper, closing)
  if (paper.room() < needed) paper.turn()
  paper.abreast([
    () => {
      paper.y += padding
      paper.write('P', netNote, note, soft)
    },
    () =>
      paper.element('L', () => {
        for (const row of rows) {
          if (row.look === large) paper.rule(0.9, x)
          paper.y += padding
          paper.element('LI', () =>
            paper.abreast([
              () => paper.write('Lbl', row.label, label, row.look),
              () => paper.write('LBody', row.value, value, row.look),
            ]),
          )
          paper.y += padding
        }
      }),
  ])
}

const between = { sums: 16, rule: 8, sentences: 4 }
const wholeWidth = ({ left, right }: Paper): Place => ({ x: left, width: right - left })

const closingHeight = (paper: Paper, closing: readonly string[]): number =>
  between.sums +
  between.rule +
  sum(closing.map((sentence) => paper.height(sentence, wholeWidth(paper).width) + between.sentences))

function drawClosing(paper: Paper, { closing }: Sheet): void {
  paper.y += between.sums
  paper.rule(0.3)
  paper.y += between.rule
  for (const sentence of closing) {
    paper.write('P', sentence, wholeWidth(paper))
    paper.y += between.sentences
  }
}
