import { canonicalEmail } from '../../../kernel/email.ts'
import type { FieldErrors } from '../../../kernel/refusal.ts'
import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import { isBlank, isStorableText, plainLine } from '../../../kernel/text.ts'
import { hasUserInfo, parseHttpUrl } from '../../../kernel/url.ts'
import { checkAccent } from './accent.ts'
import type { LogoExtension } from './logo.ts'

/** Pages have a fallback for each null field. */
export interface BrandFields {
  readonly displayName: string | null
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

/** The requested values of the brand fields. An empty text clears the field. */
export type FieldChanges = { readonly [Field in keyof BrandFields]?: string | undefined }

type Checked = { value: string } | { problem: RuleProblem }

const checks: Readonly<Record<keyof BrandFields, (text: string) => Checked>> = {
  displayName(text) {
    const isGood = text.length <= 255 && isStorableText(text) && !isBlank(text) && plainLine(text) === text
    return isGood ? { value: text } : { problem: ruleProblem('brand_name') }
  },
  accent(text) {
    const found = checkAccent(text)
    return 'problem' in found ? found : { value: found.accent }
  },
  supportEmail(text) {
    const email = canonicalEmail(text)
    return email === null
      ? { problem: ruleProblem('email', {}, 'Must be an email address of at most 254 characters.') }
      : { value: email }
  },
  supportUrl: httpsUrl,
  termsUrl: httpsUrl,
  privacyUrl: httpsUrl,
}

const mostOfUrl = 2048

function httpsUrl(text: string): Checked {
  const url = text.length <= mostOfUrl ? parseHttpUrl(text) : null
  const isGood = url?.protocol === 'https:' && !hasUserInfo(text) && url.href.length <= mostOfUrl
  return isGood ? { value: url.href } : { problem: ruleProblem('brand_url') }
}

export function checkFields(changes: FieldChanges): { fields: Partial<BrandFields>; problems: FieldErrors } {
  const fields: Partial<Record<keyof BrandFields, string | null>> = {}
  const problems: Record<string, RuleProblem[]> = {}
  for (const field of Object.keys(checks) as (keyof BrandFields)[]) {
    const text = changes[field]?.trim()
    if (text === undefined) continue
    const checked = text === '' ? { value: null } : checks[field](text)
    if ('problem' in checked) problems[field] = [checked.problem]
    else fields[field] = checked.value
  }
  return { fields, problems }
}
