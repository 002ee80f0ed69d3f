import type { Sql } from '../../platform/db/db.ts'
import type { Brand, BrandFields, Logo } from './rules/brand.ts'
import type { LogoExtension } from './rules/logo.ts'

export interface StoredBrand {
  readonly storefrontName: string
  readonly brand: Brand
}

/** Returns the brand without the bytes of the logo. Uses one statement, because every page reads the brand. */
export async function readBrand(sql: Sql, storefrontId: string): Promise<StoredBrand> {
  const [row] = await sql.$queryRaw<Row[]>`
    SELECT s.name, b.display_name, b.accent, b.support_email, b.support_url, b.terms_url, b.privacy_url,
      l.hash, l.extension, l.width, l.height, l.plate_in_light, l.plate_in_dark
    FROM storefronts s LEFT JOIN brands b ON b.storefront_id = s.id 
      LEFT JOIN brand_logos l ON l.storefront_id = s.id AND l.replaced_at IS NULL
    WHERE s.id = ${storefrontId}`
  if (!row) throw new Error(`there is no storefront ${storefrontId}`)
  return { storefrontName: row.name, brand: toBrand(row) }
}

export async function lockBrand(sql: Sql, storefrontId: string, now: Date): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO brands (storefront_id, updated_at) VALUES (${storefrontId}, ${now})
    ON CONFLICT (storefront_id) DO UPDATE SET updated_at = excluded.updated_at`
}

/** Saves the given brand fields. The caller must lock the brand first. */
export async function saveFields(sql: Sql, storefrontId: string, fields: Partial<BrandFields>): Promise<void> {
  const given = Object.entries(fields).map(([field, value]) => [columns[field as keyof BrandFields], value])
  await sql.brands.update({ where: { storefront_id: storefrontId }, data: Object.fromEntries(given) })
}

/** Saves the new logo and keeps the previous logo, because sent emails show it. The caller must lock the brand first. */
export async function saveLogo(
  sql: Sql,
  storefrontId: string,
  logo: Logo & { readonly bytes: Uint8Array<ArrayBuffer> },
  now: Date,
): Promise<void> {
  const { hash, extension, width, height, plateInLight, plateInDark, bytes } = logo
  await replaceLogo(sql, storefrontId, now)
  await sql.brand_logos.upsert({
    where: { storefront_id_hash: { storefront_id: storefrontId, hash } },
    create: {
      storefront_id: storefrontId,
      hash,
      extension,
      width,
      height,
      bytes,
      plate_in_light: plateInLight,
      plate_in_dark: plateInDark,
      created_at: now,
    },
    update: { replaced_at: null },
    select: { hash: true },
  })
}

const mostReplaced = 20

export async function replaceLogo(sql: Sql, storefrontId: string, now: Date): Promise<void> {
  await sql.$executeRaw`
    UPDATE brand_logos SET replaced_at = ${now} WHERE storefront_id = ${storefrontId} AND replaced_at IS NULL`
  await sql.$executeRaw`
    DELETE FROM brand_logos WHERE storefront_id = ${storefrontId} AND hash IN (
      SELECT hash FROM brand_logos WHERE storefront_id = ${storefrontId} AND replaced_at IS NOT NULL
      ORDER BY replaced_at DESC, hash OFFSET ${mostReplaced})`
}

export async function logoBytes(
  sql: Sql,
  hash: string,
  extension: LogoExtension,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await sql.brand_logos.findFirst({ where: { hash, extension }, select: { bytes: true } })
  return row?.bytes ?? null
}

const columns = {
  displayName: 'display_name',
  accent: 'accent',
  supportEmail: 'support_email',
  supportUrl: 'support_url',
  termsUrl: 'terms_url',
  privacyUrl: 'privacy_url',
} as const satisfies Record<keyof BrandFields, string>

interface Row {
  readonly name: string
  readonly display_name: string | null
  readonly accent: string | null
  readonly support_email: string | null
  readonly support_url: string | null
  readonly terms_url: string | null
  readonly privacy_url: string | null
  readonly hash: string | null
  readonly extension: LogoExtension
  readonly width: number
  readonly height: number
  readonly plate_in_light: boolean
  readonly plate_in_dark: boolean
}

const toBrand = (row: Row): Brand => ({
  displayName: row.display_name,
  accent: row.accent,
  supportEmail: row.support_email,
  supportUrl: row.support_url,
  termsUrl: row.terms_url,
  privacyUrl: row.privacy_url,
  logo: row.hash === null ? null : toLogo(row, row.hash),
})

const toLogo = (row: Row, hash: string): Logo => ({
  hash,
  extension: row.extension,
  width: row.width,
  height: row.height,
  plateInLight: row.plate_in_light,
  plateInDark: row.plate_in_dark,
})
