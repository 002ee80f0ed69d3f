import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import type { BrandColors, SchemeColors } from '../page.ts'
import { contrast, hex, lightnessOf, mix, parseColor, type Rgb, withLightness } from './color.ts'

/** The minimum contrast of text (WCAG 2.2, success criterion 1.4.3). */
export const leastContrast = 4.5

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

/**
 * Backgrounds in `app/globals.css`. `tint` is the share of the accent in a tinted background. `away` is 1 if an element becomes lighter under the pointer, and
 * -1 if it becomes darker.
 */
const schemes = {
  light: { paper: white, ground: [0xf6, 0xf5, 0xf2], tint: 0.06, away: -1 },
  dark: { paper: [0x1b, 0x1c, 0x20], ground: [0x13, 0x14, 0x17], tint: 0.1, away: 1 },
} as const satisfies Record<string, { paper: Rgb; ground: Rgb; tint: number; away: 1 | -1 }>
type Scheme = keyof typeof schemes

/** Refuses a color only if it is too light for text on white. Every other color has a variant for the dark scheme. */
export function checkAccent(text: string): { accent: string } | { problem: RuleProblem } {
  const color = parseColor(text)
  if (!color) return { problem: ruleProblem('color') }
  const ratio = contrast(color, white)
  if (ratio >= leastContrast) return { accent: hex(color) }
  const nearest = moved(color, -1, (each) => contrast(each, white) >= leastContrast)
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
  return {
    problem: ruleProblem('color_contrast', { contrast: shown, least: leastContrast, nearest: hex(nearest) }),
  }
}

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

const step = 0.004

/** Changes the lightness in small steps until `isEnough` is true. White or black always meets the condition. */
function moved(color: Rgb, direction: 1 | -1, isEnough: (color: Rgb) => boolean): Rgb {
  let found = color
  for (let lightness = lightnessOf(color); !isEnough(found); lightness += direction * step) {
    if (lightness < 0 || lightness > 1) return direction === 1 ? white : black
    found = withLightness(color, lightness)
  }
  return found
}

const deeper = (color: Rgb, away: 1 | -1): Rgb =>
  withLightness(color, Math.min(1, Math.max(0, lightnessOf(color) + away * 0.06)))
