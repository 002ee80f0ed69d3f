import { spawnSync } from 'node:child_process'
import { UserFacingError } from './user-facing-error.mjs'

const mark = 'missing module: '

const startPages = `try {
  const { default: next } = await import('next')
  await next({ dev: false, dir: process.cwd() }).prepare()
} catch (error) {
  if (!['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes(error?.code)) throw error
  console.error(error)
  process.stdout.write('\\n${mark}' + JSON.stringify(error.message) + '\\n')
  process.exit(1)
}
process.exit()`

/**
 * Starts the pages in a folder, and ends them as soon as they are ready. Returns the quoted words in the message of Node.js about a missing module, which
 * include the name of the module. The result is empty if no module is missing. Throws an error if the pages do not start for another reason.
 */
export function startCopiedPages(folder: string): { readonly quoted: readonly string[]; readonly stderr: string } {
  const args = ['--input-type=module', '--eval', startPages]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status === 0) return { quoted: [], stderr }
  const line = stdout.split('\n').find((each) => each.startsWith(mark))
  if (line === undefined) throw doNotStart(stderr)
  const message: string = JSON.parse(line.slice(mark.length))
  return { quoted: [...message.matchAll(/(['"])(.+?)\1/g)].map(([, , word = '']) => word), stderr }
}

export const doNotStart = (stderr: string): UserFacingError =>
  new UserFacingError(`The copied pages do not start. ${stderr}`)
