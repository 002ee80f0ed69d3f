// @ts-check
// `npm install` makes git check staged files and commit subjects (.githooks). It changes nothing in CI, without git,
// outside a checkout, or if another hooks folder is configured.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** @param {string[]} args @returns {string | null} null if git is missing or fails */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Whether the files belong to our own repository, and not to another repository that contains them. */
const isOwnCheckout = () => {
  const top = git('rev-parse', '--show-toplevel')
  return top !== null && existsSync(path.join(root, '.git')) && realpathSync(top) === realpathSync(root)
}

if (!process.env.CI && isOwnCheckout() && git('config', '--get', 'core.hooksPath') === null) {
  if (git('config', 'core.hooksPath', '.githooks') === null)
    console.warn('The check of commit subjects is not set up: git cannot write its configuration.')
}
