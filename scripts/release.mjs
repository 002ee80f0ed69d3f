// @ts-check
// Checks the tree and the changelog, sets the version, commits, and tags. It pushes nothing. The pushed tag starts
// .github/workflows/release.yml, which tests and publishes.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isNewer, notesOf, parsedVersion, withRelease } from './changelog.mjs'
import { root } from './environment.mjs'
import { command, UserFacingError } from './user-facing-error.mjs'

const changelogFile = path.join(root, 'CHANGELOG.md')
const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

async function main() {
  const version = process.argv[2] ?? ''
  const { version: current } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  if (parsedVersion(version) === null)
    throw new UserFacingError(`Name the version: npm run release -- X.Y.Z (the current version is ${current}).`)
  if (version !== current && !isNewer(version, current))
    throw new UserFacingError(`${version} is not newer than ${current}, the version in package.json.`)
  checkTree(version)
  const changelog = withRelease(readFileSync(changelogFile, 'utf8'), version, new Date().toISOString().slice(0, 10))
  writeFileSync(changelogFile, changelog)
  const npm = ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts']
  // The SDK and the command line of merchants have the version of the service.
  const packages = ['--workspace', 'packages/sdk', '--workspace', 'packages/cli', '--include-workspace-root']
  execFileSync('npm', [...npm, ...packages], { cwd: root, stdio: 'ignore' })
  const notes = notesOf(changelog, version)
  const versioned = ['packages/sdk/package.json', 'packages/cli/package.json']
  const files = ['CHANGELOG.md', 'package.json', ...versioned, 'package-lock.json']
  git('commit', '--quiet', '--message', `Release ${version}`, ...files)
  git('tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `Billhook ${version}\n\n${notes}`)
  console.log(`${notes}\nThe commit and the tag v${version} are made. Publish them:\n`)
  console.log(`  git push --atomic origin main v${version}`)
}

/** @param {string} version */
function checkTree(version) {
  if (git('status', '--porcelain') !== '')
    throw new UserFacingError('The tree has changes that are not committed: commit them or put them aside.')
  const branch = git('branch', '--show-current')
  if (branch !== 'main') throw new UserFacingError(`A release is made on the branch main; this is ${branch || 'none'}.`)
  if (git('tag', '--list', `v${version}`) !== '') throw new UserFacingError(`The tag v${version} exists already.`)
}

command(main)
