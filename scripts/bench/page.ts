import { readFileSync, writeFileSync } from 'node:fs'

/** A run of the benchmark replaces only the top or one section of a page, because some sections are written by hand. */

export function writeTop(file: string, top: string): void {
  writeFileSync(file, [top, ...partsOf(file).slice(1)].join('\n'))
}

/**
 * Replaces the section with this heading. Adds the section at the end if the heading is new. `text` ends with a line
 * break.
 */
export function writeSection(file: string, heading: string, text: string): void {
  const title = `## ${heading}\n`
  const section = `${title}\n${text}`
  const parts = partsOf(file)
  const at = parts.findIndex((part) => part.startsWith(title))
  if (at < 0) parts.push(section)
  else parts[at] = section
  writeFileSync(file, parts.join('\n'))
}

const partsOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split(/^(?=## )/m)
    .map((part) => part.replace(/\n+$/, '\n'))
