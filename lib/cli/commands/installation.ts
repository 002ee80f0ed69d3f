import type { Finding } from '../../modules/invariants/operations.ts'
import type { Diagnosis } from '../../server/doctor-rules.ts'
import { type Renewed, verdict } from '../../server/renewal-verdict.ts'
import { type Command, command } from '../command.ts'

const backups = () => import('../../platform/db/backup.ts')
const installation = () => import('../../server/doctor.ts')
const secretKey = () => import('../../server/renew-secret-key.ts')
const invariants = () => import('../../modules/invariants/operations.ts')

export const installationCommands: readonly Command[] = [
  command({
    noun: 'backup',
    summary: 'Back up the whole database to a file; the service can keep running',
    flags: { to: { value: 'FILE', help: 'the path of a new file', required: true } },
    withAnyKey: true,
    run: async ({ to }) => (await backups()).writeBackup(to),
    lastWord: async () =>
      'Store SECRET_KEY in a different place than the backup. Encrypted values cannot be read without SECRET_KEY.',
  }),
  command({
    noun: 'restore',
    summary: 'Restore a backup into an empty database, completely or not at all',
    flags: { from: { value: 'FILE', help: 'a file that `backup` wrote', required: true } },
    withAnyKey: true,
    jsonOnly: ['secretKey'],
    run: async ({ from }) => {
      const restored = await (await backups()).readBackup(from)
      return { ...restored, secretKey: (await (await import('../../server/secret-key.ts')).secretKeyProblem()) ?? 'ok' }
    },
    lastWord: async (answer) => {
      const { secretKey } = answer as { secretKey: string }
      return secretKey === 'ok' ? 'Run `invariants` to check the restored data.' : secretKey
    },
  }),
  command({
    noun: 'secret-key',
    verb: 'accept',
    summary: 'Accept the current SECRET_KEY for this database, if the former SECRET_KEY is lost',
    flags: {},
    withAnyKey: true,
    run: async () => (await import('../../server/secret-key.ts')).acceptSecretKey(),
    lastWord: async (answer) =>
      (answer as { accepted: boolean }).accepted
        ? 'Values that were encrypted with the former key can no longer be read. Set new webhook secrets, connect payment accounts ' +
          'again, and ask merchants to enter their bank details again. Until then, no payouts are made. Codes of second factors no ' +
          'longer work: log in with a recovery code, or run `operator reset-second-factor`. Emails that wait to be sent are not ' +
          'sent, and sent emails cannot be read or sent again. `storefront export` exports the unreadable values unchanged, and ' +
          'prints their number.'
        : 'SECRET_KEY already belongs to this database. Nothing was changed.',
  }),
  command({
    noun: 'secret-key',
    verb: 'renew',
    summary:
      'Encrypt all stored values with the current SECRET_KEY, so that the former keys can be removed; exit code 1 if values still need a former key or are damaged, or if the audit log is broken',
    flags: {},
    run: async (_, say) => (await secretKey()).renewSecretKey(say),
    isBad: (answer) => (answer as readonly Renewed[]).some(({ left, damaged }) => left > 0 || damaged > 0),
    lastWord: async (answer) => verdict(answer as readonly Renewed[], (await secretKey()).hasFormerKey()),
  }),
  command({
    noun: 'doctor',
    summary: 'Check whether the installation is ready for live sales; exit code 1 if something is missing',
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
    summary: 'Check the rules that the data must satisfy at every moment; exit code 1 if a rule is broken',
    flags: {},
    withAnyKey: true,
    run: async () => (await invariants()).check(),
    isBad: (findings) => (findings as readonly Finding[]).some(({ status }) => status === 'broken'),
    lastWord: async (findings) =>
      (await import('../../modules/invariants/rules/verdict.ts')).verdict(findings as readonly Finding[]),
  }),
]
