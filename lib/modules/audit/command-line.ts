import { userInfo } from 'node:os'
import type { Actor } from './rules/entry.ts'

/** The person at the command line, by the name of the system's user. */
export const commandLine = (): Actor => ({ kind: 'cli', id: userInfo().username, address: null })
