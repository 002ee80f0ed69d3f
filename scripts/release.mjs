// @ts-check
// Sets the version, commits, and tags, but pushes nothing. A pushed tag starts .github/workflows/release.yml.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isNewer, notesOf, parsedVersion, withRelease } from './changelog.mjs'
import { root } from './environment.mjs'
import { command, UserFacingError } from './user-facing-error.mjs'

const chartFile = 'charts/billhook/Chart.yaml'
const composeFile = 'compose.yaml'
/** The commands of these guides name the version. */
const guideFiles = ['docs/guides/containers.md', 'docs/guides/upgrade.md', 'docs/production.md']
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
  // The SDK and the command line have the version of the service.
  const packages = ['--workspace', 'packages/sdk', '--workspace', 'packages/cli', '--include-workspace-root']
  execFileSync('npm', [...npm, ...packages], { cwd: root, stdio: 'ignore' })
  setChartVersion(version)
  const notes = notesOf(changelog, version)
  const versioned = ['packages/sdk/package.json', 'packages/cli/package.json']
  const files = [
    'CHANGELOG.md',
    'package.json',
    ...versioned,
    'package-lock.json',
    chartFile,
    composeFile,
    ...guideFiles,
  ]
  git('commit', '--quiet', '--message', `Release ${version}`, ...files)
  git('tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `Billhook ${version}\n\n${notes}`)
  console.log(`${notes}\nThe commit and the tag v${version} exist. Publish both:\n`)
  console.log(`  git push --atomic origin main v${version}`)
}

/**
 * The chart, the example for Compose, and the guides name this version.
 * @param {string} version
 */
function setChartVersion(version) {
  const chart = readFileSync(path.join(root, chartFile), 'utf8')
  const versions = chart
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`)
  writeFileSync(path.join(root, chartFile), versions)
  const compose = readFileSync(path.join(root, composeFile), 'utf8')
  writeFileSync(path.join(root, composeFile), compose.replace(/(BILLHOOK_IMAGE:-billhook:)[\d.]+/, `$1${version}`))
  for (const file of guideFiles) {
    const guide = readFileSync(path.join(root, file), 'utf8')
    const named = /(--tag billhook:|git clone --branch v|git checkout v)\d+\.\d+\.\d+/g
    writeFileSync(path.join(root, file), guide.replaceAll(named, `$1${version}`))
  }
}

/** @param {string} version */
function checkTree(version) {
  if (git('status', '--porcelain') !== '')
    throw new UserFacingError('The tree has changes that are not committed: commit or stash the changes.')
  const branch = git('branch', '--show-current')
  if (branch !== 'main') throw new UserFacingError(`A release is made on the branch main; this is ${branch || 'none'}.`)
  if (git('tag', '--list', `v${version}`) !== '') throw new UserFacingError(`The tag v${version} exists already.`)
}

command(main)
