import { Refusal } from '../../kernel/refusal.ts'
import { type Credentials, credentialsAt, isLiveProvider, liveProviderNames } from '../../platform/config-providers.ts'

export type TypedCredentials = { readonly apiKey: string } & {
  readonly [Name in Exclude<keyof Credentials, 'apiKey'>]?: string | undefined
}

/**
 * Validates the entered credentials. An empty optional credential counts as not set. Refuses with `validation_failed`
 * if a credential is malformed or not a credential of the provider.
 */
export function checkedCredentials(provider: string, typed: TypedCredentials): Credentials {
  if (!isLiveProvider(provider))
    throw new Refusal('validation_failed', {
      provider: [`Must be one of ${liveProviderNames.join(', ')}.`],
    })
  const entered = Object.entries(typed).filter(([, value]) => value !== undefined && value !== '')
  const read = credentialsAt(provider).safeParse(Object.fromEntries(entered))
  if (read.success) return read.data
  const problems = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [key, [`Is not a credential of ${provider}.`]] as const)
      : [[String(issue.path[0]), [`${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1)}.`]] as const],
  )
  throw new Refusal('validation_failed', Object.fromEntries(problems))
}

/**
 * Refuses with `validation_failed` if the request omits a stored credential, because the change would delete this
 * credential by mistake. An empty value deletes a stored credential on purpose.
 */
export function requireStoredCredentials(typed: TypedCredentials, stored: Credentials): void {
  const missing = (Object.keys(stored) as (keyof Credentials)[]).filter(
    (name) => stored[name] !== null && typed[name] === undefined,
  )
  const problem = 'Is stored for this account, so enter it too. An empty value deletes the stored value.'
  if (missing.length > 0)
    throw new Refusal('validation_failed', Object.fromEntries(missing.map((name) => [name, [problem]])))
}
