import { canonicalEmail } from '../../../kernel/email.ts'
import type { FieldErrors } from '../../../kernel/refusal.ts'
import { isBlank, isStorableText, plainLine } from '../../../kernel/text.ts'
import { hasUserInfo, parseHttpUrl } from '../../../kernel/url.ts'
import { checkAccent } from './accent.ts'
import type { LogoExtension } from './logo.ts'

/** Null leaves a field to its fallback. */
export interface BrandFields {
  readonly displayName: string | null
  /** `#rrggbb` */
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportUrl: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
}

export interface Logo {
  readonly hash: string
  readonly extension: LogoExtension
  readonly width: number
  readonly height: number
  readonly plateInLight: boolean
  readonly plateInDark: boolean
}

export interface Brand extends BrandFields {
  readonly logo: Logo | null
}

/** New values of some fields, as typed. An empty value clears the field. */
export type FieldChanges = { readonly [Field in keyof BrandFields]?: string | undefined }

type Checked = { value: string } | { problem: string }

const checks: Readonly<Record<keyof BrandFields, (text: string) => Checked>> = {
  displayName(text) {
    const isGood = text.length <= 255 && isStorableText(text) && !isBlank(text) && plainLine(text) === text
    return isGood
      ? { value: text }
      : { problem: 'Must have 1 to 255 characters on one line, and one that can be seen.' }
  },
  accent(text) {
    const found = checkAccent(text)
    return 'problem' in found ? found : { value: found.accent }
  },
  supportEmail(text) {
    const email = canonicalEmail(text)
    return email === null ? { problem: 'Must be an e-mail address of at most 254 characters.' } : { value: email }
  },
  supportUrl: httpsUrl,
  termsUrl: httpsUrl,
  privacyUrl: httpsUrl,
}

const mostOfUrl = 2048

function httpsUrl(text: string): Checked {
  const url = text.length <= mostOfUrl ? parseHttpUrl(text) : null
  const isGood = url?.protocol === 'https:' && !hasUserInfo(text) && url.href.length <= mostOfUrl
  return isGood
    ? { value: url.href }
    : { problem: 'Must be an https URL of at most 2,048 characters, without a user name.' }
}

export function checkFields(changes: FieldChanges): { fields: Partial<BrandFields>; problems: FieldErrors } {
  const fields: Partial<Record<keyof BrandFields, string | null>> = {}
  const problems: Record<string, string[]> = {}
  for (const field of Object.keys(checks) as (keyof BrandFields)[]) {
    const text = changes[field]?.trim()
    if (text === undefined) continue
    const checked = text === '' ? { value: null } : checks[field](text)
    if ('problem' in checked) problems[field] = [checked.problem]
    else fields[field] = checked.value
  }
  return { fields, problems }
}
