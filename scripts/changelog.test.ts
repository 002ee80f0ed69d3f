import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { entriesOf, isNewer, notesOf, parsedVersion, problemsOf, withRelease } from './changelog.mjs'

const first =
  '# Changelog\n\nFor merchants and operators.\n\n## 0.1.0 - 2026-12-01\n\nThe first release.\n\n### Whatever\n- One.\n'
const withUnreleased = (body: string) => first.replace('## 0.1.0', `## Unreleased\n\n${body}\n\n## 0.1.0`)
const next = withUnreleased('### Added\n- A field.\n\n### Fixed\n- A page.')

describe('CHANGELOG.md', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8')

  it('CHANGELOG.md has only the allowed sections, and a date for each release', () => {
    expect(problemsOf(changelog)).toEqual([])
  })

  it('CHANGELOG.md has an entry for the version in package.json', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(entriesOf(changelog).map(({ title }) => title)).toContain(version)
    expect(notesOf(changelog, version).length).toBeGreaterThan(100)
  })
})

describe('a release', () => {
  it('a release adds a version and a date to the entry Unreleased', () => {
    const released = withRelease(next, '0.1.1', '2026-12-24')
    expect(released).toBe(next.replace('## Unreleased', '## 0.1.1 - 2026-12-24'))
    expect(problemsOf(released)).toEqual([])
    expect(notesOf(released, '0.1.1')).toBe('### Added\n- A field.\n\n### Fixed\n- A page.\n')
  })

  it('a release adds the date to an undated entry of its version', () => {
    const undated = first.replace(' - 2026-12-01', '')
    expect(withRelease(undated, '0.1.0', '2026-12-01')).toBe(first)
  })

  it.each([
    ['a version that is already released', next, '0.1.0', /already/],
    ['the newest version again', first, '0.1.0', /already/],
    ['a changelog without an entry', '# Changelog\n', '0.1.1', /Unreleased/],
    ['a changelog without changes since the last release', first, '0.1.1', /Unreleased/],
    ['an empty entry', withUnreleased(''), '0.1.1', /empty/],
    ['a section with another name', withUnreleased('### Removed\n- A field.'), '0.1.1', /only the sections/],
    ['sections in another order', withUnreleased('### Fixed\n- A.\n\n### Added\n- B.'), '0.1.1', /in this order/],
    ['a section twice', withUnreleased('### Added\n- A.\n\n### Added\n- B.'), '0.1.1', /each once/],
    ['an older entry without a date', next.replace(' - 2026-12-01', ''), '0.1.1', /needs the date/],
    ['an entry with another name', next.replace('0.1.0 - 2026-12-01', 'First - 2026-12-01'), '0.1.1', /must be named/],
  ])('a release is refused for %s', (_, changelog, version, problem) => {
    expect(() => withRelease(changelog, version, '2026-12-24')).toThrow(problem)
  })

  it('notesOf throws for a version without a changelog entry', () => {
    expect(() => notesOf(first, '0.2.0')).toThrow('no entry for 0.2.0')
  })
})

describe('a version', () => {
  it.each(['1', '1.2', '1.2.3.4', 'v1.2.3', '01.2.3', '1.2.3-beta', ''])('"%s" is not a version', (version) => {
    expect(parsedVersion(version)).toBeNull()
  })

  it.each([
    ['0.1.1', '0.1.0', true],
    ['0.1.10', '0.1.9', true],
    ['0.2.0', '0.1.9', true],
    ['1.0.0', '0.9.9', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.1.10', false],
    ['0.9.9', '1.0.0', false],
    ['nothing', '0.1.0', false],
  ])('version %s is newer than %s: %s', (version, than, expected) => {
    expect(isNewer(version, than)).toBe(expected)
  })
})
