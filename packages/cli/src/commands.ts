import type { Command } from './command.ts'
import { accountCommands } from './commands/account.ts'
import { moreCommands } from './commands/more.ts'
import { testModeCommands } from './commands/test-mode.ts'
import { webhooksCommands } from './commands/webhooks.ts'

/** The help lists commands in this order. */
export const commands: readonly Command[] = [
  ...accountCommands,
  ...webhooksCommands,
  ...testModeCommands,
  ...moreCommands,
]
