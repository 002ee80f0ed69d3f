import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { requireNotHeld, requireStorefront } from '../accounts/store.ts'
import { commandLine } from '../audit/command-line.ts'
import { writeAudit } from '../audit/write.ts'
import { viewOf } from './brand-view.ts'
import { type EncodedLogo, encodeLogo } from './encode.ts'
import type { StorefrontView } from './page.ts'
import { previewHtml } from './preview.ts'
import { type Brand, type BrandFields, checkFields, type FieldChanges } from './rules/brand.ts'
import { logoProblem, logoTypes } from './rules/logo.ts'
import * as store from './store.ts'

/** An empty text, or null for the logo, clears the field. A missing field is not changed. */
export interface BrandChanges extends FieldChanges {
  readonly logo?: Uint8Array | null | undefined
}

export interface StorefrontBrand {
  readonly brand: Brand
  readonly shown: StorefrontView
}

export async function brandOf(storefrontId: string): Promise<StorefrontBrand> {
  await requireStorefront(db(), storefrontId)
  const { brand, storefrontName } = await store.readBrand(db(), storefrontId)
  return { brand, shown: viewOf(brand, storefrontName) }
}

export async function checkBrand(storefrontId: string, changes: BrandChanges): Promise<FieldErrors> {
  await requireStorefront(db(), storefrontId)
  return (await check(storefrontId, changes)).problems
}

/**
 * Throws `validation_failed` with every invalid field. While the storefront is on hold, throws the error of an
 * unavailable database.
 */
export async function saveBrand(
  storefrontId: string,
  changes: BrandChanges,
  by = commandLine(),
): Promise<StorefrontBrand> {
  await requireStorefront(db(), storefrontId)
  const { fields, logo } = await valid(storefrontId, changes)
  const now = realNow()
  await db().$transaction(async (sql) => {
    // A change during the move to another installation would be lost, so the change is refused.
    await requireNotHeld(sql, storefrontId)
    await store.lockBrand(sql, storefrontId, now)
    const { brand: before } = await store.readBrand(sql, storefrontId)
    await store.saveFields(sql, storefrontId, fields)
    if (logo) await store.saveLogo(sql, storefrontId, logo, now)
    if (logo === null) await store.replaceLogo(sql, storefrontId, now)
    const { brand: after } = await store.readBrand(sql, storefrontId)
    const change = { action: 'brand.save', subject: storefrontId }
    await writeAudit(sql, by, { ...change, before: said(before, after), after: said(after, before) })
  })
  return brandOf(storefrontId)
}

/** An audit entry is never deleted, so it must not contain the support address. A changed address is recorded as `another` or `none`. */
const said = ({ supportEmail, ...brand }: Brand, other: Brand) => ({
  ...brand,
  ...(supportEmail !== other.supportEmail && { supportEmail: supportEmail === null ? 'none' : 'another' }),
})

/** Returns an HTML document with both color schemes. The document loads no other files. Throws `validation_failed` with every invalid field. */
export async function previewBrand(storefrontId: string, changes: BrandChanges): Promise<string> {
  await requireStorefront(db(), storefrontId)
  const { fields, logo } = await valid(storefrontId, changes)
  const { brand, storefrontName } = await store.readBrand(db(), storefrontId)
  const next: Brand = { ...brand, ...fields, ...(logo !== undefined && { logo }) }
  return previewHtml(viewOf(next, storefrontName, await asDataUrl(next.logo, logo)))
}

interface Checked {
  readonly fields: Partial<BrandFields>
  readonly logo: EncodedLogo | null | undefined
  readonly problems: FieldErrors
}

async function valid(storefrontId: string, changes: BrandChanges): Promise<Checked> {
  const checked = await check(storefrontId, changes)
  if (Object.keys(checked.problems).length > 0) throw new Refusal('validation_failed', checked.problems)
  return checked
}

async function check(storefrontId: string, { logo: file, ...changes }: BrandChanges): Promise<Checked> {
  const { fields, problems } = checkFields(changes)
  if (!file) return { fields, problems, logo: file }
  const logo = await encodeLogo(storefrontId, file)
  if (!('problem' in logo)) return { fields, problems, logo }
  return { fields, problems: { ...problems, logo: [logoProblem(logo.problem)] }, logo: undefined }
}

/** The logo is a data URL, because the reader of a preview may have no access to the service. */
async function asDataUrl(logo: Brand['logo'], changed: Checked['logo']): Promise<string | undefined> {
  if (!logo) return undefined
  const bytes = changed?.bytes ?? (await store.logoBytes(db(), logo.hash, logo.extension))
  return `data:${logoTypes[logo.extension]};base64,${Buffer.from(bytes ?? []).toString('base64')}`
}
