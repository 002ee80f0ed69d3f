import type { BrandColors, SchemeColors } from '../page.ts'
import { contrast, hex, lightnessOf, mix, parseColor, type Rgb, withLightness } from './color.ts'

/** Text needs this contrast (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

/** The accent's backgrounds, as in `app/globals.css`. `tint` is the accent's share of a tinted surface. */
const schemes = {
  light: { paper: white, ground: [0xf6, 0xf5, 0xf2], tint: 0.06, away: -1 },
  dark: { paper: [0x1b, 0x1c, 0x20], ground: [0x13, 0x14, 0x17], tint: 0.1, away: 1 },
} as const satisfies Record<string, { paper: Rgb; ground: Rgb; tint: number; away: 1 | -1 }>
type Scheme = keyof typeof schemes

/**
 * The stored form of an accent color, or its problem. Only colors that are too light for text on white paper are
 * refused: every other color has a variant for the dark scheme.
 */
export function checkAccent(text: string): { accent: string } | { problem: string } {
  const color = parseColor(text)
  if (!color) return { problem: 'Must be a color of the form #rrggbb, such as #2746c7.' }
  const ratio = contrast(color, white)
  if (ratio >= leastContrast) return { accent: hex(color) }
  const nearest = moved(color, -1, (each) => contrast(each, white) >= leastContrast)
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
  return {
    problem: `Has a contrast of ${shown}:1 with white paper and needs at least ${leastContrast}:1. The nearest accepted color is ${hex(nearest)}.`,
  }
}

/** Each scheme has the accent in the nearest lightness that can be read on all surfaces of the scheme. */
export function brandColors(accent: string): BrandColors {
  const color = parseColor(accent)
  if (!color) throw new Error('an accent was stored that is no color')
  return { light: colorsOf(color, 'light'), dark: colorsOf(color, 'dark') }
}

function colorsOf(color: Rgb, scheme: Scheme): SchemeColors {
  const { paper, ground, tint, away } = schemes[scheme]
  const tinted = (each: Rgb) => mix(each, paper, tint)
  const isReadable = (each: Rgb) =>
    [paper, ground, tinted(each)].every((surface) => contrast(each, surface) >= leastContrast)
  const accent = moved(color, away, isReadable)
  return {
    accent: hex(accent),
    accentDeep: hex(deeper(accent, away)),
    onAccent: contrast(accent, white) >= contrast(accent, black) ? '#ffffff' : '#000000',
    tint: hex(tinted(accent)),
  }
}

/** A single step of lightness is invisible. */
const step = 0.004

/** The color, lighter or darker until the condition holds. White or black meets every condition used here. */
function moved(color: Rgb, direction: 1 | -1, isEnough: (color: Rgb) => boolean): Rgb {
  let found = color
  for (let lightness = lightnessOf(color); !isEnough(found); lightness += direction * step) {
    if (lightness < 0 || lightness > 1) return direction === 1 ? white : black
    found = withLightness(color, lightness)
  }
  return found
}

/** For the pointer: darker than the accent on light paper, and lighter on dark paper, so text stays readable. */
const deeper = (color: Rgb, away: 1 | -1): Rgb =>
  withLightness(color, Math.min(1, Math.max(0, lightnessOf(color) + away * 0.06)))
