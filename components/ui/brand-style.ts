import type { BrandColors, SchemeColors } from '@/lib/modules/brand/page.ts'

/**
 * The brand's colors as CSS custom properties that replace the colors of `app/globals.css`, except in print. Omits
 * colors that are not hexadecimal (`hex` in `lib/modules/brand/rules/color.ts`).
 */
export function brandStyle({ light, dark }: BrandColors): string {
  return `@media screen{:root{${properties(light)}}@media (prefers-color-scheme:dark){:root{${properties(dark)}}}}`
}

function properties({ accent, accentDeep, onAccent, tint }: SchemeColors): string {
  const values = { accent, 'accent-deep': accentDeep, 'on-accent': onAccent, tint }
  return Object.entries(values)
    .filter(([, value]) => /^#[0-9a-f]{6}$/.test(value))
    .map(([name, value]) => `--color-${name}:${value};`)
    .join('')
}
