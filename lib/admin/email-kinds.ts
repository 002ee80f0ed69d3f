import { locales } from '../kernel/locale.ts'
import { listKinds, previewEmail, switchKind, switchOf } from '../modules/emails/operations.ts'
import type { EmailKindsPage, EmailPreviewPage } from '../modules/emails/page.ts'
import { emailKinds, whyRequired } from '../modules/emails/rules/required.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once } from './act.ts'
import type { Next } from './form-state.ts'

const kindOf = (value: string | null) => emailKinds.find((each) => each === value) ?? null

export async function emailKindsPage(place: StorefrontPath, cookies: string | null): Promise<EmailKindsPage | null> {
  const access = await accessTo(place, 'emails/kinds', cookies)
  if (!access) return null
  const listed = await listKinds(access.storefront.id)
  const kinds = listed.map(({ kind, isSent }) => ({ kind, isSent, required: whyRequired[kind] }))
  return { kinds, maySwitch: access.mayDo('email.enable'), formKey: newFormKey() }
}

/** Switches an email kind on or off for both modes. */
export async function submitEmailKinds(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'emails/kinds', values.get('intent'), cookies)
  if (!access) return null
  const page = `${access.path}/emails/kinds`
  const kind = kindOf(values.get('kind'))
  const intent = values.get('intent')
  if (!kind || (intent !== 'on' && intent !== 'off')) return { redirectTo: page }
  const { id } = access.storefront
  const isSent = intent === 'on'
  const refusal = await once(
    access,
    values,
    { ...switchOf(id, kind, isSent), path: page, content: [kind, isSent] },
    (call) => switchKind(id, kind, isSent, call),
  )
  return { redirectTo: `${page}?${refusal ? `failed=${refusal.code}` : `done=${intent}`}` }
}

/** An example email with the storefront's brand. Null for an unknown kind. */
export async function emailPreviewPage(
  place: StorefrontPath,
  name: string,
  language: string | null,
  cookies: string | null,
): Promise<EmailPreviewPage | null> {
  const access = await accessTo(place, 'emails/kinds/[kind]', cookies)
  const kind = kindOf(name)
  if (!access || !kind) return null
  const locale = localeOf(language)
  const { subject, text } = await previewEmail(kind, locale, access.storefront.id)
  return { kind, locale, subject, text, htmlUrl: `${access.path}/emails/kinds/${kind}/html?language=${locale}` }
}

export async function emailPreviewHtml(
  place: StorefrontPath,
  name: string,
  language: string | null,
  cookies: string | null,
): Promise<string | null> {
  const access = await accessTo(place, 'emails/kinds/[kind]/html', cookies)
  const kind = kindOf(name)
  return access && kind && (await previewEmail(kind, localeOf(language), access.storefront.id)).html
}

const localeOf = (language: string | null) => locales.find((each) => each === language) ?? 'en'
