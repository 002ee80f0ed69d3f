// @ts-check
// `.githooks/commit-msg` gives the file of a message; CI gives a range: `--range origin/main..HEAD`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const longest = 72

/** Subjects that git writes for merges, reverts, and commits that a later rebase combines. */
const writtenByGit = /^(?:Merge |Revert "|fixup! |squash! |amend! )/

/**
 * @param {string} message of a commit, with the comments that git adds to it
 * @returns {string} the first line that is neither empty nor a comment
 */
export function subjectOf(message) {
  return message.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
}

/**
 * @param {string} subject
 * @returns {string | null} the rule that the subject breaks, as a sentence; null if it breaks none
 */
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
 * @param {string} range of commits, such as `origin/main..HEAD`
 * @returns {string[]} the subjects that people wrote: a bot cannot shorten the names of packages
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
