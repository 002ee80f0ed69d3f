import bidiFactory from 'bidi-js'
import LineBreaker from 'linebreak'
import { type Cluster, clustersOf, type Face, replaceMissingGlyphs } from './clusters.ts'

export interface Run {
  readonly text: string
  readonly face: string
  readonly isRightToLeft: boolean
}

const bidi = bidiFactory()
const blank = /^\s+$/

/**
 * Each line is a list of runs from left to right. A line may end at `\n`, where Unicode allows a break (UAX 14), or inside a word that is wider than a line.
 * Right-to-left text is reordered per line (UAX 9).
 */
export function linesOf(
  text: string,
  width: number,
  { faces, widthOf }: { faces: readonly Face[]; widthOf: (run: Run) => number },
): Run[][] {
  return replaceMissingGlyphs(text)
    .split('\n')
    .flatMap((line) => {
      const clusters = clustersOf(line, faces)
      const shown = clusters.map((each) => each.text).join('')
      const { levels } = bidi.getEmbeddingLevels(shown)
      const placed = positionsOf(clusters)
      const measure = (part: readonly Placed[]) => runsOf(part, levels).reduce((sum, run) => sum + widthOf(run), 0)
      return broken(placed, wordEnds(shown), width, measure).map((part) => visual(runsOf(trimmed(part), levels)))
    })
}

interface Placed extends Cluster {
  readonly at: number
}

function positionsOf(clusters: readonly Cluster[]): Placed[] {
  let at = 0
  return clusters.map((cluster) => {
    const placed = { ...cluster, at }
    at += cluster.text.length
    return placed
  })
}

function wordEnds(text: string): Set<number> {
  const breaker = new LineBreaker(text)
  const ends = new Set<number>()
  for (let end = breaker.nextBreak(); end; end = breaker.nextBreak()) ends.add(end.position)
  return ends
}

type Measure = (part: readonly Placed[]) => number

function broken(all: readonly Placed[], ends: ReadonlySet<number>, width: number, measure: Measure): Placed[][] {
  const lines: Placed[][] = []
  let line: Placed[] = []
  let taken = 0
  for (const word of wordsOf(all, ends)) {
    const length = measure(trimmed(word))
    if (line.length > 0 && taken + length > width) {
      lines.push(line)
      line = []
      taken = 0
    }
    const rows = length > width ? cut(word, width, measure) : [word]
    const last = rows.pop() ?? []
    lines.push(...rows)
    line = [...line, ...last]
    taken += measure(last)
  }
  return [...lines, line]
}

function wordsOf(all: readonly Placed[], ends: ReadonlySet<number>): Placed[][] {
  const words: Placed[][] = []
  let word: Placed[] = []
  for (const each of all) {
    word.push(each)
    if (!ends.has(each.at + each.text.length)) continue
    words.push(word)
    word = []
  }
  return word.length > 0 ? [...words, word] : words
}

function cut(word: readonly Placed[], width: number, measure: Measure): Placed[][] {
  const rows: Placed[][] = []
  let row: Placed[] = []
  let taken = 0
  for (const each of word) {
    const length = measure([each])
    if (row.length > 0 && taken + length > width && !blank.test(each.text)) {
      rows.push(row)
      row = []
      taken = 0
    }
    row.push(each)
    taken += length
  }
  return [...rows, row]
}

function trimmed(part: readonly Placed[]): readonly Placed[] {
  const end = part.findLastIndex(({ text }) => !blank.test(text)) + 1
  return part.slice(0, end)
}

interface Levelled extends Run {
  readonly letters: readonly string[]
  readonly level: number
}

function runsOf(part: readonly Placed[], levels: Uint8Array): Levelled[] {
  const runs: { face: string; level: number; letters: string[] }[] = []
  for (const { text, face, at } of part) {
    const level = levels[at] ?? 0
    const last = runs.at(-1)
    if (last?.face === face && last.level === level) last.letters.push(text)
    else runs.push({ face, level, letters: [text] })
  }
  return runs.map((run) => {
    const isRightToLeft = run.level % 2 === 1
    return { ...run, isRightToLeft, text: isRightToLeft ? fromRightToLeft(run.letters) : run.letters.join('') }
  })
}

/**
 * Replaces paired characters, such as parentheses, with their mirror images, and reverses the text. A text with right-to-left letters is not reversed,
 * because shaping reverses such a text later.
 */
function fromRightToLeft(letters: readonly string[]): string {
  const mirrored = letters.map((letter) => bidi.getMirroredCharacter(letter) ?? letter)
  return (letters.some((letter) => rightToLeft.test(letter)) ? mirrored : mirrored.toReversed()).join('')
}

const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Thaana}/u

/** Orders runs for display (UAX 9, L2). */
function visual(runs: readonly Levelled[]): Run[] {
  let ordered = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    const next: Levelled[] = []
    let stretch: Levelled[] = []
    for (const run of ordered) {
      if (run.level >= level) stretch.unshift(run)
      else {
        next.push(...stretch, run)
        stretch = []
      }
    }
    ordered = [...next, ...stretch]
  }
  return ordered.map(({ text, face, isRightToLeft }) => ({ text, face, isRightToLeft }))
}
