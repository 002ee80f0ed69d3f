import { open, writeFile } from 'node:fs/promises'
import { invalid } from '../kernel/refusal.ts'
import type { BrandChanges, StorefrontBrand } from '../modules/brand/operations.ts'
import { logoLimits } from '../modules/brand/rules/logo.ts'

type BrandFlag = 'display-name' | 'logo' | 'accent' | 'support-email' | 'support-url' | 'terms-url' | 'privacy-url'

export async function changesOf(flags: Readonly<Record<BrandFlag, string | undefined>>): Promise<BrandChanges> {
  return {
    displayName: flags['display-name'],
    accent: flags.accent,
    supportEmail: flags['support-email'],
    supportUrl: flags['support-url'],
    termsUrl: flags['terms-url'],
    privacyUrl: flags['privacy-url'],
    logo: await logoOf(flags.logo),
  }
}

async function logoOf(path: string | undefined): Promise<BrandChanges['logo']> {
  if (path === undefined) return undefined
  return path === '' ? null : readLogo(path)
}

/** Reads at most one byte more than the limit, because the file may be huge or an endless device. */
async function readLogo(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path)
    try {
      if (!(await file.stat()).isFile()) throw invalid('logo', 'Must be the path of a file.')
      const { bytesRead, buffer } = await file.read(Buffer.alloc(logoLimits.bytes + 1))
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!isFileError(error)) throw error
    throw invalid('logo', `The file cannot be read: it does not exist, or you lack the permission (${error.code}).`)
  }
}

export async function writePreview(path: string, html: string): Promise<{ file: string }> {
  try {
    await writeFile(path, html)
    return { file: path }
  } catch (error) {
    if (!isFileError(error)) throw error
    throw invalid('out', `The file cannot be written (${error.code}).`)
  }
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'

export function brandRecord({ brand, shown }: StorefrontBrand): Record<string, unknown> {
  const { logo, displayName, accent, supportEmail, supportUrl } = brand
  const { light, dark } = shown.brand.colors ?? {}
  return {
    displayName,
    shownName: shown.storefrontName,
    logo: logo && `${shown.brand.logo?.url} (${logo.width} x ${logo.height})`,
    accent,
    accentInLight: light?.accent ?? null,
    accentInDark: dark?.accent ?? null,
    supportEmail,
    supportUrl,
    termsUrl: shown.termsUrl,
    privacyUrl: shown.privacyUrl,
  }
}
