import { describe, expect, it } from 'vitest'
import { fitted, formatOf, isWordMark, logoLimits, platesFor, shownBox } from './logo.ts'

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

describe('formats', () => {
  it.each([
    ['png', bytes(png, 'rest')],
    ['jpeg', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF')],
    ['webp', bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 ')],
    ['svg', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['svg', bytes('\ufeff \n<?xml version="1.0"?><!-- a --><!DOCTYPE svg><svg >')],
    // The check of the format accepts this file. The encoder refuses the file later.
    ['svg', bytes('<html><svg><script>')],
  ])('the logo format %s is recognized by the content of the file', (format, file) => {
    expect(formatOf(file)).toEqual({ format })
  })

  it.each([
    ['empty', bytes()],
    ['format', bytes('GIF89a')],
    ['format', bytes('BM')],
    ['format', bytes('%PDF-1.7 <svg >')],
    ['format', bytes([0x1f, 0x8b, 0x08])],
    ['format', bytes('<html><body>')],
    ['format', bytes('RIFF', [1, 2, 3, 4], 'AVI ')],
    ['format', bytes([0, 0, 0, 0x20], 'ftypavif')],
    ['format', bytes([0x49, 0x49, 0x2a, 0])],
    ['format', bytes('not an image')],
    ['format', bytes([0x89], 'PNG')],
    ['too_large', new Uint8Array(logoLimits.bytes + 1).fill(0xff)],
    ['too_large', bytes(png, 'x'.repeat(513 * 1024))],
  ])('a logo file is refused with the problem %s', (problem, file) => {
    expect(formatOf(file)).toEqual({ problem })
  })

  it('a logo file of exactly the maximum size is accepted', () => {
    expect(formatOf(bytes(png, 'x'.repeat(logoLimits.bytes - png.length)))).toEqual({ format: 'png' })
  })
})

describe('sizes', () => {
  it.each([
    [640, 320, 72, 36],
    [640, 64, 200, 20],
    [320, 320, 36, 36],
    [16, 16, 16, 16],
    [640, 1, 200, 1],
    [1, 320, 1, 36],
  ])('a logo of %i x %i pixels is shown at %i x %i', (width, height, shownWidth, shownHeight) => {
    expect(fitted({ width, height }, shownBox)).toEqual({ width: shownWidth, height: shownHeight })
  })

  it.each([
    [200, 100, true],
    [199, 100, false],
    [100, 100, false],
    [100, 300, false],
  ])('a logo of %i x %i pixels is a word mark: %s', (width, height, expected) => {
    expect(isWordMark({ width, height })).toBe(expected)
  })
})

describe('background plates', () => {
  const pixels = (...colors: number[][]) => new Uint8Array(colors.flat())
  const clear = [0, 0, 0, 0]
  const white = [255, 255, 255, 255]
  const black = [0, 0, 0, 255]
  const red = [200, 30, 30, 255]

  it.each([
    ['a black shape', pixels(black, clear), { light: false, dark: true }],
    ['a white shape', pixels(white, clear), { light: true, dark: false }],
    ['a colored shape', pixels(red, clear), { light: false, dark: false }],
    ['black on white without a transparent part', pixels(white, white, black), { light: false, dark: false }],
    ['a shape that is mostly colored', pixels(red, red, black, clear), { light: false, dark: false }],
    ['only transparent pixels', pixels(clear), { light: false, dark: false }],
    ['zero pixels', pixels(), { light: false, dark: false }],
  ])('a logo of %s needs a background in each color scheme where the logo is too faint', (_what, sample, plates) => {
    expect(platesFor(sample)).toEqual(plates)
  })
})
