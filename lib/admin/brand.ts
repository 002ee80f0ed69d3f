import { Refusal } from '../kernel/refusal.ts'
import { type BrandChanges, brandOf, checkBrand, previewBrand, saveBrand } from '../modules/brand/operations.ts'
import { type BrandField, type BrandPage, brandFields } from '../modules/brand/page.ts'
import { logoProblems } from '../modules/brand/rules/logo.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'

type Typed = Readonly<Partial<Record<string, string | null>>>

/** The brand of a storefront; after a refused form with the typed values and their problems. */
export async function brandPage(
  place: StorefrontPath,
  typed: Typed,
  cookies: string | null,
): Promise<BrandPage | null> {
  const access = await accessTo(place, 'brand', cookies)
  if (!access) return null
  const { brand, shown } = await brandOf(access.storefront.id)
  const isOnHold = access.storefront.heldAt !== null
  const changes = Object.fromEntries(
    brandFields.flatMap((field) => (typeof typed[field] === 'string' && !isOnHold ? [[field, typed[field]]] : [])),
  )
  const problems = await checkBrand(access.storefront.id, changes)
  const { logoProblem } = typed
  return {
    values: mapFields((field) => changes[field] ?? brand[field] ?? ''),
    problems: {
      ...Object.fromEntries(Object.entries(problems).map(([field, [sentence]]) => [field, sentence])),
      ...(logoProblem && isLogoProblem(logoProblem) && { logo: logoProblems[logoProblem] }),
    },
    storefrontName: access.storefront.name,
    logo: shown.brand.logo,
    isOnHold,
  }
}

/** A brand as a form sends it. */
export interface BrandForm {
  readonly intent: string | null
  readonly fields: Typed
  /** A new logo; null removes the current logo. */
  readonly logo: Uint8Array | null | undefined
}

/** Saves a brand, or shows a page with it. Returns the target of the form, or the preview. */
export async function submitBrand(
  place: StorefrontPath,
  form: BrandForm,
  cookies: string | null,
): Promise<{ redirectTo: string } | { html: string } | null> {
  const access = await accessToForm(place, 'brand', form.intent, cookies)
  if (!access) return null
  const changes: BrandChanges = { ...mapFields((field) => form.fields[field] ?? ''), logo: form.logo }
  const page = `${access.path}/brand`
  try {
    if (form.intent === 'preview') return { html: await previewBrand(access.storefront.id, changes) }
    await saveBrand(access.storefront.id, changes, access.actor)
    return { redirectTo: `${page}?done=saved` }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { redirectTo: `${page}?${refused(error, changes)}#problems` }
  }
}

/** The data from which the page repeats the problems: the typed values, and why the logo was refused. */
function refused({ code, on }: Refusal, { logo: _, ...typed }: BrandChanges): URLSearchParams {
  const why = Object.entries(logoProblems).find(([, sentence]) => sentence === on.logo?.[0])?.[0]
  const entries = Object.entries(typed).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, value.slice(0, 3000)]],
  )
  const failed = code === 'validation_failed' ? [] : [['failed', code]]
  return new URLSearchParams([...entries, ...(why ? [['logoProblem', why]] : []), ...failed])
}

const mapFields = (value: (field: BrandField) => string): Record<BrandField, string> =>
  Object.fromEntries(brandFields.map((field) => [field, value(field)])) as Record<BrandField, string>

const isLogoProblem = (code: string): code is keyof typeof logoProblems => Object.hasOwn(logoProblems, code)
