import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brandColors, checkAccent, leastContrast } from './accent.ts'
import { contrast, hex, parseColor, type Rgb } from './color.ts'

const part = fc.integer({ min: 0, max: 255 })
const anyColor: fc.Arbitrary<Rgb> = fc.tuple(part, part, part)
const read = (text: string): Rgb => parseColor(text) ?? [0, 0, 0]
const ratio = (one: string, other: string) => contrast(read(one), read(other))

const [light = '', dark = ''] = readFileSync('app/globals.css', 'utf8').split('prefers-color-scheme: dark')
const surface = (css: string, name: string) => new RegExp(`--color-${name}: (#[0-9a-f]{6})`).exec(css)?.[1] ?? ''

describe('accents', () => {
  it.each([
    ['#2746C7', '#2746c7'],
    ['000', '#000000'],
    ['#767676', '#767676'],
    ['#b3221b', '#b3221b'],
  ])('the accent color %s is stored as %s', (text, accent) => {
    expect(checkAccent(text)).toEqual({ accent })
  })

  it.each([
    ['#ffcc00', '1.51', '#917300'],
    ['#ffffff', '1.00', '#7'],
    ['#ff5a5f', '3.05', '#db3642'],
    ['#777777', '4.47', '#7'],
  ])('the error for the accent %s states the contrast %s:1 and the nearest accepted color', (text, shown, nearest) => {
    const found = checkAccent(text)
    const sentence = 'problem' in found ? String(found.problem) : ''
    expect(sentence).toContain(`The contrast with white is ${shown}:1. Must be at least 4.5:1.`)
    expect(sentence).toContain(`The nearest accepted color is ${nearest}`)
  })

  it.each(['blue', '', '#12', 'javascript:1', '#2746c7;}'])(
    'the accent %j is refused because the text is not a color',
    (text) => {
      expect(checkAccent(text)).toMatchObject({ problem: { rule: 'color' } })
    },
  )

  it('the suggested color for a refused accent is accepted', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const found = checkAccent(hex(color))
        if ('accent' in found) return
        const named = /#[0-9a-f]{6}/.exec(String(found.problem))?.[0] ?? ''
        expect(checkAccent(named)).toEqual({ accent: named })
      }),
    )
  })
})

describe('brand colors', () => {
  it('brand colors have enough contrast on every surface of both schemes', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const found = checkAccent(hex(color))
        if (!('accent' in found)) return
        for (const [scheme, css] of [
          ['light', light],
          ['dark', dark],
        ] as const) {
          const { accent, accentDeep, onAccent, tint } = brandColors(found.accent)[scheme]
          for (const below of [surface(css, 'paper'), surface(css, 'ground'), tint])
            expect(ratio(accent, below), `${found.accent} ${scheme} ${below}`).toBeGreaterThanOrEqual(leastContrast)
          for (const button of [accent, accentDeep])
            expect(ratio(button, onAccent), `${found.accent} ${scheme}`).toBeGreaterThanOrEqual(leastContrast)
          for (const text of ['ink', 'soft'])
            expect(ratio(surface(css, text), tint), `${found.accent} ${scheme}`).toBeGreaterThanOrEqual(leastContrast)
        }
      }),
    )
  })

  it('an accent with enough contrast is unchanged in the light scheme', () => {
    expect(brandColors('#2746c7').light).toEqual({
      accent: '#2746c7',
      accentDeep: expect.stringMatching(/^#[0-9a-f]{6}$/),
      onAccent: '#ffffff',
      tint: '#f2f4fc',
    })
  })

  it('the accent is lighter in the dark scheme, and the text on an accent-colored button is black', () => {
    const { dark } = brandColors('#2746c7')
    expect(ratio(dark.accent, '#000000')).toBeGreaterThan(ratio('#2746c7', '#000000'))
    expect(dark.onAccent).toBe('#000000')
  })

  it('brand colors always have six hexadecimal digits', () => {
    for (const accent of ['#000000', '#123456', '#7a0000', '#006400'])
      for (const scheme of Object.values(brandColors(accent)))
        for (const value of Object.values(scheme)) expect(value).toMatch(/^#[0-9a-f]{6}$/)
  })

  it('brandColors() throws for a stored accent that is not a color', () => {
    expect(() => brandColors('red;}body{display:none')).toThrow()
  })
})
