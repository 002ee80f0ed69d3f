import { type Command, command } from '../command.ts'
import { withColons } from '../flags.ts'

const operations = () => import('../../workflows/restore/operations.ts')

export const restoreCommands: readonly Command[] = [
  command({
    noun: 'restore',
    verb: 'compare',
    summary: 'After a restore, before the service starts: find the live payments that the database lacks',
    flags: {
      since: {
        value: 'TIME',
        help: 'the time of the backup, such as 2026-12-01T03:00:00Z, or 2026-12-01T03-00-00Z as in the name of a backup file',
        required: true,
      },
    },
    jsonOnly: ['step'],
    run: async ({ since }) =>
      (await import('../../workflows/restore/compare.ts')).compareAfterRestore(withColons(since)),
    lastWord: async (answer) =>
      (await import('../../modules/unknown-payments/rules/verdict.ts')).verdictOf(answer as []),
  }),
  command({
    noun: 'restore',
    verb: 'list',
    summary: 'List the payments that `restore compare` found, and what happens to each payment',
    flags: {},
    jsonOnly: ['step'],
    run: async () => (await operations()).listUnknown(),
  }),
  command({
    noun: 'restore',
    verb: 'release',
    summary: 'Let charges ignore a payment of `restore list`, after you refunded the payment at the provider',
    flags: {
      provider: { value: 'NAME', help: 'the provider in the list', required: true },
      ref: { value: 'REF', help: "the provider's reference in the list", required: true },
    },
    jsonOnly: ['step'],
    run: async ({ provider, ref }) => (await operations()).releaseUnknown(provider, ref),
  }),
]
