import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, hex, lightnessOf, luminance, mix, parseColor, type Rgb, withLightness } from './color.ts'

const part = fc.integer({ min: 0, max: 255 })
const anyColor: fc.Arbitrary<Rgb> = fc.tuple(part, part, part)
const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

describe('colors', () => {
  it.each([
    ['#2746c7', [0x27, 0x46, 0xc7]],
    ['2746C7', [0x27, 0x46, 0xc7]],
    [' #fa0 ', [0xff, 0xaa, 0x00]],
    ['#000000', [0, 0, 0]],
  ])('parseColor() accepts %j', (text, parts) => {
    expect(parseColor(text)).toEqual(parts)
  })

  it.each([
    '',
    '#',
    'red',
    '#12',
    '#12345',
    '#1234567',
    '#12345678',
    'rgb(1,2,3)',
    '#2746c7;}body{display:none',
    '#2746c7}',
    'url(https://evil.example)',
    'var(--x)',
    '#２７４６ｃ７',
    '#2746c7\n#2746c7',
  ])('parseColor() refuses %j', (text) => {
    expect(parseColor(text)).toBeNull()
  })

  it('a color is always written as # and six digits', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        expect(hex(color)).toMatch(/^#[0-9a-f]{6}$/)
        expect(parseColor(hex(color))).toEqual(color)
      }),
    )
  })
})

describe('contrast', () => {
  it.each([
    ['#ffffff', '#000000', 21],
    ['#767676', '#ffffff', 4.54],
    ['#2746c7', '#ffffff', 7.5],
    ['#ff0000', '#ffffff', 4],
    ['#123456', '#123456', 1],
  ])('the contrast of %s and %s is %f', (one, other, ratio) => {
    expect(contrast(parseColor(one) ?? black, parseColor(other) ?? black)).toBeCloseTo(ratio, 1)
  })

  it('contrast is the same in either order of the colors', () => {
    fc.assert(fc.property(anyColor, anyColor, (a, b) => contrast(a, b) === contrast(b, a)))
  })
})

describe('lightness', () => {
  it('lightness is 0 for black and 1 for white', () => {
    expect(lightnessOf(black)).toBeCloseTo(0, 5)
    expect(lightnessOf(white)).toBeCloseTo(1, 5)
  })

  it('setting the current lightness of a color does not change the color', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const same = withLightness(color, lightnessOf(color))
        for (const [index, value] of same.entries())
          expect(Math.abs(value - (color[index] ?? 0))).toBeLessThanOrEqual(2)
      }),
    )
  })

  it('raising the lightness of a color never lowers its luminance', () => {
    fc.assert(
      fc.property(anyColor, fc.double({ min: 0, max: 0.95, noNaN: true }), (color, lightness) => {
        expect(luminance(withLightness(color, lightness + 0.05))).toBeGreaterThanOrEqual(
          luminance(withLightness(color, lightness)),
        )
      }),
    )
  })
})

it('each component of a mix lies between the components of the two colors', () => {
  expect(mix(black, white, 0)).toEqual(white)
  expect(mix(black, white, 1)).toEqual(black)
  expect(mix([100, 0, 200], white, 0.5)).toEqual([178, 128, 228])
})
