import type { Finding } from '../../modules/invariants/operations.ts'
import type { Diagnosis } from '../../server/doctor-rules.ts'
import { type Command, command } from '../command.ts'

const backups = () => import('../../platform/db/backup.ts')
const installation = () => import('../../server/doctor.ts')
const invariants = () => import('../../modules/invariants/operations.ts')

export const installationCommands: readonly Command[] = [
  command({
    noun: 'backup',
    summary: 'Write everything in the database to a file, while the service works',
    flags: { to: { value: 'FILE', help: 'a file that does not exist yet', required: true } },
    withAnyKey: true,
    run: async ({ to }) => (await backups()).writeBackup(to),
    lastWord: async () => 'Keep SECRET_KEY too, in another place: without it sealed values cannot be read.',
  }),
  command({
    noun: 'restore',
    summary: 'Put a backup back into an empty database, whole or not at all',
    flags: { from: { value: 'FILE', help: 'a file that `backup` wrote', required: true } },
    withAnyKey: true,
    jsonOnly: ['secretKey'],
    run: async ({ from }) => {
      const restored = await (await backups()).readBackup(from)
      return { ...restored, secretKey: (await (await import('../../server/secret-key.ts')).secretKeyProblem()) ?? 'ok' }
    },
    lastWord: async (answer) => {
      const { secretKey } = answer as { secretKey: string }
      return secretKey === 'ok' ? '`invariants` checks what was restored.' : secretKey
    },
  }),
  command({
    noun: 'secret-key',
    verb: 'accept',
    summary: 'If the former SECRET_KEY is lost: take the present one as that of this database',
    flags: {},
    withAnyKey: true,
    run: async () => (await import('../../server/secret-key.ts')).acceptSecretKey(),
    lastWord: async (answer) =>
      (answer as { accepted: boolean }).accepted
        ? 'What was sealed with the former key cannot be read any more. Give webhook endpoints a new secret, connect payment accounts ' +
          'again, and have merchants give their bank details again: until then nothing is paid out. No code of a second factor is ' +
          'right: recovery codes are, and `operator reset-second-factor` lets an operator set up another. Emails that were not sent ' +
          'yet are not sent, and those that were cannot be read or sent again. `storefront export` takes all of that along as it is, and ' +
          'says how much it is.'
        : 'SECRET_KEY is that of this database: nothing was changed.',
  }),
  command({
    noun: 'doctor',
    summary: 'Say what is missing for live sales, a line for each check; exit 1 when something is',
    flags: {},
    withAnyKey: true,
    run: async () => (await installation()).doctor(),
    isBad: (checks) => (checks as readonly Diagnosis[]).some(({ state }) => state === 'missing'),
    lastWord: async (checks) => {
      const missing = (checks as readonly Diagnosis[]).filter(({ state }) => state === 'missing').length
      return missing === 0 ? 'Nothing is missing for live sales.' : `Missing for live sales: ${missing}.`
    },
  }),
  command({
    noun: 'invariants',
    summary: 'Check everything that must hold at every moment, and name what does not; exit 1 when something is broken',
    flags: {},
    withAnyKey: true,
    run: async () => (await invariants()).check(),
    isBad: (findings) => (findings as readonly Finding[]).some(({ status }) => status === 'broken'),
    lastWord: async (findings) =>
      (await import('../../modules/invariants/rules/verdict.ts')).verdict(findings as readonly Finding[]),
  }),
]
