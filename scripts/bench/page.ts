import { readFileSync, writeFileSync } from 'node:fs'

/** A page of figures. One run writes the top; other runs write sections, and some sections are written by hand. */

/** Replaces the top of the page, and keeps the sections. */
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

/** The top and the sections, each without its trailing empty line. */
const partsOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split(/^(?=## )/m)
    .map((part) => part.replace(/\n+$/, '\n'))
