import { addDuration, parseTypedDuration } from '../../kernel/calendar.ts'
import { type KeyScope, keyScopes } from '../../kernel/key-scope.ts'
import { type Locale, locales } from '../../kernel/locale.ts'
import { invalid } from '../../kernel/refusal.ts'
import { type Role, roleMeanings, roles } from '../../modules/operators/rules/access.ts'
import { type Command, command } from '../command.ts'
import { requiredMode, storefront } from '../flags.ts'

const password = {
  value: 'PASSWORD',
  help: 'the password, at least 12 characters',
  required: true,
  isSecret: true,
} as const
const accounts = () => import('../../modules/accounts/operations.ts')
const operators = () => import('../../modules/operators/operations.ts')
const audit = () => import('../../modules/audit/operations.ts')

function milliseconds(flag: string, duration: string, least = 0): number {
  const now = new Date()
  const parsed = parseTypedDuration(duration)
  const lasts = (parsed && addDuration(now, parsed)?.getTime()) ?? Number.NaN
  if (!(lasts - now.getTime() >= least)) throw invalid(flag, 'Must be a duration such as 12h, 30d or P1M.')
  return lasts - now.getTime()
}

export const accessCommands: readonly Command[] = [
  command({
    noun: 'key',
    verb: 'create',
    summary: 'Create an API key, which is shown only once',
    flags: {
      storefront,
      mode: requiredMode,
      scope: { value: 'SCOPE', help: 'the rights of the key (default: full)', oneOf: keyScopes },
      name: { value: 'NAME', help: 'the name of the key, such as the program that uses the key' },
      'expires-in': { value: '30d', help: 'the time until the key expires, such as 12h, 30d or P1M (default: never)' },
    },
    alwaysJson: true,
    run: async ({ storefront, mode, scope = 'full', name = '', 'expires-in': expiresIn }) => {
      const request = { storefrontId: storefront, testmode: mode === 'test', scope: scope as KeyScope, name }
      return (await accounts()).createKey(
        expiresIn === undefined ? request : { ...request, expiresInMs: milliseconds('expires-in', expiresIn, 1) },
      )
    },
  }),
  command({
    noun: 'key',
    verb: 'list',
    summary: "List a storefront's API keys with their names and last uses, without secrets",
    flags: { storefront },
    run: async ({ storefront }) =>
      (await (await accounts()).listKeys(storefront)).map(({ id, ...key }) => ({ keyId: id, ...key })),
  }),
  command({
    noun: 'key',
    verb: 'rename',
    summary: 'Rename an API key; an empty name removes the name',
    flags: {
      key: { value: 'KEYID', help: "the key's id", required: true },
      name: { value: 'NAME', help: 'the new name, at most 60 characters', required: true, mayBeEmpty: true },
    },
    run: async ({ key, name }) => (await accounts()).renameKey({ keyId: key }, name),
  }),
  command({
    noun: 'key',
    verb: 'revoke',
    summary: 'Revoke an API key at once',
    flags: { key: { value: 'KEYID', help: "the key's id", required: true } },
    run: async ({ key }) => {
      await (await accounts()).revokeKey({ keyId: key })
      return { keyId: key, revoked: true }
    },
  }),
  command({
    noun: 'key',
    verb: 'rotate',
    summary: 'Replace an API key by a new key of the same scope; the old key expires after 24 hours',
    flags: {
      key: { value: 'KEYID', help: "the old key's id", required: true },
      'expire-old-in': {
        value: '24h',
        help: 'the time until the old key expires, such as 1h or 7d, or 0s for at once (default: 24h)',
      },
    },
    alwaysJson: true,
    run: async ({ key, 'expire-old-in': overlap }) =>
      (await accounts()).rotateKey(
        { keyId: key },
        overlap === undefined ? undefined : milliseconds('expire-old-in', overlap),
      ),
  }),
  command({
    noun: 'operator',
    verb: 'create',
    summary: "Create a log-in for an operator, who is a member of the service's staff",
    flags: {
      email: { value: 'ADDRESS', help: 'the email address', required: true },
      password,
    },
    run: async ({ email, password }) => (await operators()).createOperator({ email, password }),
  }),
  command({
    noun: 'member',
    verb: 'create',
    summary: 'Create a log-in to the admin area for a member of a merchant',
    flags: {
      merchant: { value: 'ID', help: "the merchant's id", required: true },
      role: {
        value: 'ROLE',
        help: 'the role, which decides the rights of the member',
        required: true,
        oneOf: roles,
        meanings: roleMeanings,
      },
      email: { value: 'ADDRESS', help: 'the email address', required: true },
      password,
      language: { value: 'LANGUAGE', help: 'the language of emails to the member (default: en)', oneOf: locales },
    },
    run: async ({ merchant, role, email, password, language = 'en' }) =>
      (await operators()).createMember({
        merchantId: merchant,
        role: role as Role,
        email,
        password,
        locale: language as Locale,
      }),
  }),
  command({
    noun: 'operator',
    verb: 'reset-second-factor',
    summary: 'Remove the second factor that an operator lost, and end all sessions of the operator',
    flags: { email: { value: 'ADDRESS', help: "the operator's email address", required: true } },
    run: async ({ email }) => (await operators()).resetSecondFactor(email),
  }),
  command({
    noun: 'operator',
    verb: 'remove',
    summary: 'Delete the log-in of an operator, and end all sessions of the operator',
    flags: { email: { value: 'ADDRESS', help: "the operator's email address", required: true } },
    run: async ({ email }) => (await operators()).removeOperator(email),
  }),
  command({
    noun: 'audit',
    verb: 'verify',
    summary: 'Verify the audit log, and show the last entry; store a copy of the entry in a different place',
    flags: {},
    isBad: (answer) => (answer as { brokenAt: number | null }).brokenAt !== null,
    run: async () => (await audit()).verifyAudit(),
  }),
]
