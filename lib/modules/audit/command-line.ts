import { userInfo } from 'node:os'
import type { Actor } from './rules/entry.ts'

/**
 * Returns the user name of the operating system. In a container, the user id may have no name, so the result is `uid`
 * and the number.
 */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

export const commandLine = (): Actor => ({ kind: 'cli', id: userName(), address: null })
