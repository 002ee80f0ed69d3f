import { Refusal } from '../../kernel/refusal.ts'
import { type Credentials, credentialsAt, isLiveProvider, liveProviderNames } from '../../platform/config-providers.ts'

export type TypedCredentials = { readonly apiKey: string } & {
  readonly [Name in Exclude<keyof Credentials, 'apiKey'>]?: string | undefined
}

export function checkedCredentials(provider: string, typed: TypedCredentials): Credentials {
  if (!isLiveProvider(provider))
    throw new Refusal('validation_failed', {
      provider: [`Must be one of ${liveProviderNames.join(', ')}.`],
    })
  const read = credentialsAt(provider).safeParse(JSON.parse(JSON.stringify(typed)))
  if (read.success) return read.data
  const problems = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [key, [`Is not a credential of ${provider}.`]] as const)
      : [[String(issue.path[0]), [`${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1)}.`]] as const],
  )
  throw new Refusal('validation_failed', Object.fromEntries(problems))
}
