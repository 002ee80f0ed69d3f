import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pageNotes } from './checkout-page.ts'
import { handedOverNotes } from './handed-over.ts'
import { neighborsNotes } from './neighbors.ts'
import { paintNotes } from './paint.ts'
import { processesNotes } from './processes.ts'

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const written = inOneLine(readFileSync('docs/benchmarks.md', 'utf8'))

it.each(Object.entries({ pageNotes, handedOverNotes, neighborsNotes, paintNotes, processesNotes }))(
  'docs/benchmarks.md contains %s, so that the next run of the benchmark keeps the text of the page',
  (_, notes) => {
    expect(written.includes(inOneLine(notes))).toBe(true)
  },
)
