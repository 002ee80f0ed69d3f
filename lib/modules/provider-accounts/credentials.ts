import { Refusal } from '../../kernel/refusal.ts'
import { credentialsAt } from '../../platform/config-providers.ts'
import { type Credentials, isProvider, liveProviders } from './rules/account.ts'

export interface TypedCredentials {
  readonly apiKey: string
  readonly accessToken?: string | undefined
  readonly webhookSecret?: string | undefined
}

const none: Omit<TypedCredentials, 'apiKey'> = {}

/** Credentials as somebody typed them, by the provider's rules. Refuses `validation_failed` on each that breaks one. */
export function checkedCredentials(provider: string, typed: TypedCredentials): Credentials {
  if (!isProvider(provider))
    throw new Refusal('validation_failed', {
      provider: [`Must be one of ${liveProviders.join(', ')}.`],
    })
  const read = credentialsAt[provider].safeParse(JSON.parse(JSON.stringify(typed)))
  if (read.success) {
    const { apiKey, accessToken = null, webhookSecret = null } = { ...none, ...read.data }
    return { apiKey, accessToken, webhookSecret }
  }
  const problems = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [key, [`Is not of ${provider}.`]] as const)
      : [[String(issue.path[0]), [`${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1)}.`]] as const],
  )
  throw new Refusal('validation_failed', Object.fromEntries(problems))
}
