// @ts-check
// Checks the subject of one commit (`.githooks/commit-msg`), or of each commit in a range (CI: `--range
// origin/main..HEAD`).
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const longest = 72

const writtenByGit = /^(?:Merge |Revert "|fixup! |squash! |amend! )/

/**
 * Skips the comments that git adds.
 * @param {string} message @returns {string} the first line with text
 */
export function subjectOf(message) {
  return message.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
}

/** @param {string} subject @returns {string | null} the broken rule as a sentence; null for a valid subject */
export function subjectProblem(subject) {
  if (writtenByGit.test(subject)) return null
  const length = [...subject].length
  if (subject.trim() === '') return 'The commit needs a subject.'
  if (length > longest) return `The subject has ${length} characters. At most ${longest} are allowed: shorten it.`
  if (/[.…]$/.test(subject)) return 'The subject ends with a period: remove it.'
  if (!/^\p{Lu}/u.test(subject)) return 'The subject starts with a capital letter and a verb, such as "Add a field".'
  return null
}

/**
 * Leaves out subjects by bots, because bots cannot shorten package names.
 * @param {string} range such as `origin/main..HEAD`
 * @returns {string[]} subjects written by people
 */
function subjectsIn(range) {
  const lines = execFileSync('git', ['log', '--no-merges', '--format=%an%x09%s', range], { encoding: 'utf8' })
  const commits = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'))
  return commits.filter(([author]) => !author?.endsWith('[bot]')).map(([, ...subject]) => subject.join('\t'))
}

function main() {
  const [first = '', range = ''] = process.argv.slice(2)
  const subjects = first === '--range' ? subjectsIn(range) : [subjectOf(readFileSync(first, 'utf8'))]
  for (const subject of subjects) {
    const problem = subjectProblem(subject)
    if (problem === null) continue
    console.error(`${subject}\n  ${problem}`)
    process.exitCode = 1
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
