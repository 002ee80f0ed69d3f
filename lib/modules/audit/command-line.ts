import { userInfo } from 'node:os'
import type { Actor } from './rules/entry.ts'

/** A user of a container can be without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

export const commandLine = (): Actor => ({ kind: 'cli', id: userName(), address: null })
