import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import type { Plates } from '../page.ts'
import { contrast, type Rgb } from './color.ts'

/** The limits of a logo upload: the bytes of the file, the pixels of the picture before decoding, and the seconds and memory bytes for decoding. */
export const logoLimits = { bytes: 512 * 1024, pixels: 16_777_216, seconds: 10, memory: 512 * 1024 * 1024 } as const

/** The maximum size of a stored logo in pixels. The width is about three times the width on a page, which is enough for print. */
export const storedBox = { width: 640, height: 320 } as const

export type LogoFormat = 'png' | 'jpeg' | 'webp' | 'svg'

export const logoTypes = { png: 'image/png', jpg: 'image/jpeg' } as const
export type LogoExtension = keyof typeof logoTypes

export const logoProblems = ['empty', 'too_large', 'format', 'pixels', 'costly', 'unreadable'] as const
export type LogoProblem = (typeof logoProblems)[number]

export const logoProblem = (problem: LogoProblem): RuleProblem => ruleProblem(`logo_${problem}`)

/** Returns the format that the content indicates, or a problem. Only the decoder of that format reads the file. */
export function formatOf(bytes: Uint8Array): { format: LogoFormat } | { problem: LogoProblem } {
  if (bytes.length === 0) return { problem: 'empty' }
  if (bytes.length > logoLimits.bytes) return { problem: 'too_large' }
  const begins = (...values: number[]) => values.every((value, index) => bytes[index] === value)
  const at = (start: number, end: number) => new TextDecoder('latin1').decode(bytes.subarray(start, end))
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return { format: 'png' }
  if (begins(0xff, 0xd8, 0xff)) return { format: 'jpeg' }
  if (at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP') return { format: 'webp' }
  const text = new TextDecoder().decode(bytes).trimStart()
  return text.startsWith('<') && /<svg[\s>]/.test(text) ? { format: 'svg' } : { problem: 'format' }
}

interface Size {
  readonly width: number
  readonly height: number
}

export function fitted({ width, height }: Size, box: Size): Size {
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export const shownBox: Size = { width: 200, height: 36 }

/** A logo at least twice as wide as high is assumed to contain the name of the brand. */
export const isWordMark = ({ width, height }: Size): boolean => width >= 2 * height

const grounds = { light: [0xf6, 0xf5, 0xf2], dark: [0x13, 0x14, 0x17] } as const satisfies Record<string, Rgb>
const faint = 1.6

/** `pixels` is a small copy of the logo: red, green, blue, and opacity of each pixel. */
export function platesFor(pixels: Uint8Array): Plates {
  let [visible, hidden, fadesOnLight, fadesOnDark] = [0, 0, 0, 0]
  for (let index = 0; index + 3 < pixels.length; index += 4) {
    if ((pixels[index + 3] ?? 0) < 128) {
      hidden++
      continue
    }
    visible++
    const color: Rgb = [pixels[index] ?? 0, pixels[index + 1] ?? 0, pixels[index + 2] ?? 0]
    if (contrast(color, grounds.light) < faint) fadesOnLight++
    if (contrast(color, grounds.dark) < faint) fadesOnDark++
  }
  if (hidden < visible / 100) return { light: false, dark: false }
  return { light: fadesOnLight > visible / 2, dark: fadesOnDark > visible / 2 }
}
