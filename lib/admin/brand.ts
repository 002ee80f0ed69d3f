import { Refusal } from '../kernel/refusal.ts'
import { RuleProblem } from '../kernel/rule-problem.ts'
import { type BrandChanges, brandOf, checkBrand, previewBrand, saveBrand } from '../modules/brand/operations.ts'
import { type BrandField, type BrandPage, brandFields } from '../modules/brand/page.ts'
import { logoProblem, logoProblems } from '../modules/brand/rules/logo.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { problemText, problemTexts } from './problem-texts.ts'

type Typed = Readonly<Partial<Record<string, string | null>>>

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
  const logo = logoProblems.find((each) => each === typed.logoProblem)
  return {
    values: mapFields((field) => changes[field] ?? brand[field] ?? ''),
    problems: {
      ...problemTexts(problems, access.language),
      ...(logo && { logo: problemText(logoProblem(logo), access.language) }),
    },
    storefrontName: access.storefront.name,
    logo: shown.brand.logo,
    isOnHold,
  }
}

export interface BrandForm {
  readonly intent: string | null
  readonly fields: Typed
  /** Null removes the current logo, and undefined keeps it. */
  readonly logo: Uint8Array | null | undefined
}

/** Saves a brand, or previews it without saving. Returns the redirect, or the preview. */
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

function refused({ code, problems }: Refusal, { logo: _, ...typed }: BrandChanges): URLSearchParams {
  const [found] = problems.logo ?? []
  const why = logoProblems.find((each) => found instanceof RuleProblem && found.rule === logoProblem(each).rule)
  const entries = Object.entries(typed).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, value.slice(0, 3000)]],
  )
  const failed = code === 'validation_failed' ? [] : [['failed', code]]
  return new URLSearchParams([...entries, ...(why ? [['logoProblem', why]] : []), ...failed])
}

const mapFields = (value: (field: BrandField) => string): Record<BrandField, string> =>
  Object.fromEntries(brandFields.map((field) => [field, value(field)])) as Record<BrandField, string>
