export type Rgb = readonly [red: number, green: number, blue: number]

export function parseColor(text: string): Rgb | null {
  const [, digits] = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim()) ?? []
  if (digits === undefined) return null
  const pairs = digits.length === 6 ? digits.match(/../g) : [...digits].map((digit) => digit + digit)
  const [red = 0, green = 0, blue = 0] = (pairs ?? []).map((pair) => Number.parseInt(pair, 16))
  return [red, green, blue]
}

export const hex = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** WCAG 2 relative luminance, from 0 (black) to 1 (white). */
export function luminance(color: Rgb): number {
  const [red, green, blue] = linear(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2 contrast, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

export const mix = (over: Rgb, under: Rgb, share: number): Rgb => [
  Math.round(over[0] * share + under[0] * (1 - share)),
  Math.round(over[1] * share + under[1] * (1 - share)),
  Math.round(over[2] * share + under[2] * (1 - share)),
]

type Triple = readonly [number, number, number]

/** OKLab lightness from 0 to 1, in which equal steps look equal. */
export function lightnessOf(color: Rgb): number {
  return oklab(color)[0]
}

export function withLightness(color: Rgb, lightness: number): Rgb {
  const [, a, b] = oklab(color)
  for (let share = 100; share > 0; share -= 2) {
    const parts = fromOklab([lightness, (a * share) / 100, (b * share) / 100])
    if (parts.every((part) => part > -0.0005 && part < 1.0005)) return rgb(parts)
  }
  return rgb(fromOklab([lightness, 0, 0]))
}

const linear = (color: Rgb): Triple => {
  const part = (value: number) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return [part(color[0]), part(color[1]), part(color[2])]
}

function rgb(parts: Triple): Rgb {
  const part = (value: number) => {
    const share = Math.min(1, Math.max(0, value))
    return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055))
  }
  return [part(parts[0]), part(parts[1]), part(parts[2])]
}

// Source of the conversion: https://bottosson.github.io/posts/oklab
function oklab(color: Rgb): Triple {
  const [r, g, b] = linear(color)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
