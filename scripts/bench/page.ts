import { readFileSync, writeFileSync } from 'node:fs'

/** A page of figures: what a run writes at its top, and sections that other runs write or that are entered by hand. */

/** Replaces the top of the page. Its sections stay. */
export function writeTop(file: string, top: string): void {
  writeFileSync(file, [top, ...partsOf(file).slice(1)].join('\n'))
}

/** Replaces the section with this heading, or adds it at the end. `text` ends with a line break. */
export function writeSection(file: string, heading: string, text: string): void {
  const title = `## ${heading}\n`
  const section = `${title}\n${text}`
  const parts = partsOf(file)
  const at = parts.findIndex((part) => part.startsWith(title))
  if (at < 0) parts.push(section)
  else parts[at] = section
  writeFileSync(file, parts.join('\n'))
}

/** Each without the empty line before the next one. */
const partsOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split(/^(?=## )/m)
    .map((part) => part.replace(/\n+$/, '\n'))
