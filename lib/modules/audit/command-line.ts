import { userInfo } from 'node:os'
import type { Actor } from './rules/entry.ts'

/** The user id of a container may have no user name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

export const commandLine = (): Actor => ({ kind: 'cli', id: userName(), address: null })
