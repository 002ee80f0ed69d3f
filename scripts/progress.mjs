// @ts-check
// Progress goes to stderr, because stdout is for results.
import { spawn } from 'node:child_process'
import { spawnGuarded } from './child-process.mjs'
import { root } from './environment.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/**
 * Prints the title, the elapsed time every five seconds, and the total duration.
 * @template T @param {string} title such as 'Building the pages' @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function step(title, work) {
  const start = performance.now()
  const seconds = () => Math.round((performance.now() - start) / 100) / 10
  console.error(`${title} …`)
  const ticking = setInterval(() => console.error(`${title} … ${Math.round(seconds())} s`), 5000)
  try {
    const result = await work()
    console.error(`${title}: done in ${seconds()} s`)
    return result
  } finally {
    clearInterval(ticking)
  }
}

const ends = /** @type {Set<() => void>} */ (new Set())

export function endPrograms() {
  for (const end of ends) end()
}

/**
 * Shows the output only if the program fails. Resolves with the output.
 * @param {string} title for the error message @param {string} program @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options] @returns {Promise<string>}
 */
export function run(title, program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const { child, end } = spawnGuarded('TERM', program, args, { ...options, output: 'pipe' })
    ends.add(end)
    let output = ''
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', (error) => reject(new UserFacingError(`${title} failed: ${error.message}`)))
    child.on('close', (code, signal) => {
      ends.delete(end)
      if (code === 0) return resolve(output)
      reject(
        new UserFacingError(`${output.trimEnd()}\n${title} failed (${signal ?? `exit ${code}`}). The output is above.`),
      )
    })
  })
}

/**
 * Shows the output of the program. Resolves with the exit code.
 * @param {string} program @param {string[]} args @param {Record<string, string>} [environment] @returns
 * {Promise<number>}
 */
export function show(program, args, environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...environment }, stdio: 'inherit' })
    const end = () => child.kill()
    ends.add(end)
    child.on('error', reject)
    child.on('close', (code) => {
      ends.delete(end)
      resolve(code ?? 1)
    })
  })
}
