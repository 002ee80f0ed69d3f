// @ts-check
// Lists the files that Vitest runs, so that a name without a matching file can be refused. Vitest ignores such a name
// if another name matches, so a renamed test would be left out.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './environment.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/** @typedef {'unit' | 'db'} Project */

const folders = ['lib', 'app', 'components', 'scripts', 'packages', 'examples']

/** The test files of all projects, relative to the root, with forward slashes. */
export const testFiles = folders
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules/'))

/** @param {Project} project */
export const filesOf = (project) => testFiles.filter((file) => file.endsWith('.db.test.ts') === (project === 'db'))

/**
 * Throws a UserFacingError if one of the names is not a part of the path of a test file.
 * @param {Project} project @param {readonly string[]} names
 */
export function requireTests(project, names) {
  const files = filesOf(project)
  const unknown = names.filter((name) => !files.some((file) => isNamed(file, name)))
  if (unknown.length > 0)
    throw new UserFacingError(`No test file of the part "${project}" has the name ${unknown.join(' or ')}.`)
}

/** Vitest accepts a part of a path, or a path relative to the current folder. A number after a colon selects the test on this line. */
const isNamed = (/** @type {string} */ file, /** @type {string} */ name) => {
  const part = name.replace(/:\d+$/, '')
  return file.includes(part) || path.join(root, file) === path.resolve(part)
}

/** Tests of attacks with ids and keys of other tenants, hostile values, forged hosts and addresses, and floods of requests. */
export const attackTests = {
  unit: ['lib/platform/outbound', 'lib/platform/http', 'lib/kernel/url', 'lib/server/listen', 'lib/server/page-queue'],
  db: [
    ...['generated-requests', 'isolation', 'bad-input', 'conventions', 'all-at-once'].map((file) => `app/v1/${file}`),
    ...['lib/platform/http', 'lib/modules/webhooks', 'lib/admin'],
  ],
}

/** The fault tests. They do more work in the long form of the test run (lib/testing/amount.ts). */
export const faultTests = filesOf('db').filter((file) =>
  /\/testing\/(?:amount|crash|kill-at-each-commit|sigkill)\.ts'/.test(readFileSync(path.join(root, file), 'utf8')),
)
