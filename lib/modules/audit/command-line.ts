import { userInfo } from 'node:os'
import type { Actor } from './rules/entry.ts'

export const commandLine = (): Actor => ({ kind: 'cli', id: userInfo().username, address: null })
