// @ts-check
// `node scripts/changelog.mjs 0.1.1` prints the release notes for the release workflow.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { command, UserFacingError } from './user-facing-error.mjs'

/** The allowed sections of an entry, in this order. The oldest entry is exempt. */
export const sections = /** @type {const} */ (['Added', 'Changed', 'Fixed', 'Security'])

/** @typedef {{ title: string, date: string | null, body: string }} Entry */

/** @param {string} changelog @returns {Entry[]} newest first; the title is a version or `Unreleased` */
export function entriesOf(changelog) {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [heading = '', ...lines] = text.split('\n')
      const [, title = heading, date] = /^(\S+?)(?: - (\d{4}-\d{2}-\d{2}))?$/.exec(heading) ?? []
      return { title, date: date ?? null, body: lines.join('\n').trim() }
    })
}

/** @param {string} changelog @returns {string[]} one sentence for each broken rule */
export function problemsOf(changelog) {
  const entries = entriesOf(changelog)
  const problems = []
  for (const [n, { title, date, body }] of entries.entries()) {
    const headings = [...body.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading)
    const known = sections.filter((section) => headings.includes(section))
    if (n < entries.length - 1 && headings.join() !== known.join())
      problems.push(`The entry ${title} may have only the sections ${sections.join(', ')}, each once, in this order.`)
    if (body === '') problems.push(`The entry ${title} is empty.`)
    if (title !== 'Unreleased' && parsedVersion(title) === null)
      problems.push(`The entry "${title}" must be named "Unreleased" or "X.Y.Z - YYYY-MM-DD".`)
    if (n > 0 && date === null) problems.push(`The entry ${title} needs the date of its release.`)
  }
  return problems
}

/** @param {string} version @returns {[number, number, number] | null} null unless the text is `X.Y.Z` */
export function parsedVersion(version) {
  const [, ...parts] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? []
  const [major, minor, patch] = parts.map(Number)
  return major === undefined || minor === undefined || patch === undefined ? null : [major, minor, patch]
}

/** @param {string} version @param {string} than */
export function isNewer(version, than) {
  const [a, b] = [parsedVersion(version), parsedVersion(than)]
  if (!a || !b) return false
  const differs = a.findIndex((part, n) => part !== b[n])
  return differs >= 0 && (a[differs] ?? 0) > (b[differs] ?? 0)
}

/**
 * Sets the version and the date of the newest entry, which must be `Unreleased` or an undated version.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date `YYYY-MM-DD`
 * @returns {string} the new changelog
 */
export function withRelease(changelog, version, date) {
  const [newest, ...older] = entriesOf(changelog)
  if (older.some(({ title }) => title === version) || (newest?.title === version && newest.date !== null))
    throw new UserFacingError(`CHANGELOG.md has an entry for ${version} already: choose a newer version.`)
  if (newest === undefined || (newest.title !== 'Unreleased' && newest.title !== version))
    throw new UserFacingError('CHANGELOG.md needs an entry "## Unreleased" at its top: write what changed.')
  const [problem] = problemsOf(changelog)
  if (problem !== undefined) throw new UserFacingError(`CHANGELOG.md: ${problem}`)
  return changelog.replace(`## ${newest.title}\n`, `## ${version} - ${date}\n`)
}

/** @param {string} changelog @param {string} version @returns {string} the text of the entry */
export function notesOf(changelog, version) {
  const entry = entriesOf(changelog).find(({ title }) => title === version)
  if (entry === undefined) throw new UserFacingError(`CHANGELOG.md has no entry for ${version}.`)
  return `${entry.body}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.join(path.dirname(process.argv[1]), '../CHANGELOG.md')
  command(async () => process.stdout.write(notesOf(readFileSync(file, 'utf8'), process.argv[2] ?? '')))
}
