import type { Command } from './command.ts'
import { accessCommands } from './commands/access.ts'
import { booksCommands } from './commands/books.ts'
import { installationCommands } from './commands/installation.ts'
import { messagesCommands } from './commands/messages.ts'
import { paymentLinksCommands } from './commands/payment-links.ts'
import { paymentsCommands } from './commands/payments.ts'
import { recordsCommands } from './commands/records.ts'
import { restoreCommands } from './commands/restore.ts'
import { salesCommands } from './commands/sales.ts'
import { storefrontsCommands } from './commands/storefronts.ts'
import { taxCommands } from './commands/tax.ts'
import type { Group } from './help.ts'

export const groups: readonly Group[] = [
  { title: 'Merchants and storefronts', commands: storefrontsCommands },
  { title: 'Tax', commands: taxCommands },
  { title: 'Records of customers and sales', commands: recordsCommands },
  { title: 'Keys and people', commands: accessCommands },
  { title: 'Reviews, the test clock, and payment methods', commands: salesCommands },
  { title: 'Payment links', commands: paymentLinksCommands },
  { title: 'Payments, refunds, and disputes', commands: paymentsCommands },
  { title: 'Books and payouts', commands: booksCommands },
  { title: 'Events and emails', commands: messagesCommands },
  { title: 'Installation', commands: [...installationCommands, ...restoreCommands] },
]

export const commands: readonly Command[] = groups.flatMap((group) => group.commands)
