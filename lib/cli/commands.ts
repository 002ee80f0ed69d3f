import type { Command } from './command.ts'
import { accessCommands } from './commands/access.ts'
import { booksCommands } from './commands/books.ts'
import { installationCommands } from './commands/installation.ts'
import { messagesCommands } from './commands/messages.ts'
import { paymentLinksCommands } from './commands/payment-links.ts'
import { paymentsCommands } from './commands/payments.ts'
import { recordsCommands } from './commands/records.ts'
import { salesCommands } from './commands/sales.ts'
import { storefrontsCommands } from './commands/storefronts.ts'
import { taxCommands } from './commands/tax.ts'

export const commands: readonly Command[] = [
  ...storefrontsCommands,
  ...taxCommands,
  ...recordsCommands,
  ...accessCommands,
  ...salesCommands,
  ...paymentLinksCommands,
  ...paymentsCommands,
  ...booksCommands,
  ...messagesCommands,
  ...installationCommands,
]
