import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { blackShape, hugePng, picture, svg } from '../../testing/pictures.ts'
import { type EncodedLogo, encodeLogo } from './encode.ts'
import { logoLimits } from './rules/logo.ts'

const encode = (file: Uint8Array, seconds?: number) =>
  encodeLogo('storefront_test', file, seconds === undefined ? undefined : { seconds })

async function encoded(file: Uint8Array): Promise<EncodedLogo> {
  const logo = await encode(file)
  if ('problem' in logo) throw new Error(logo.problem)
  return logo
}

async function showsAnything({ bytes }: EncodedLogo): Promise<boolean> {
  const { channels } = await sharp(bytes).stats()
  return (channels[3]?.max ?? 255) > 0
}

describe('logos', () => {
  it.each([
    ['png', 'png'],
    ['jpeg', 'jpg'],
    ['webp', 'png'],
  ] as const)('a %s logo is stored as %s', async (format, extension) => {
    const logo = await encoded(await picture(format))
    expect(logo).toMatchObject({ extension, width: 120, height: 40, plateInLight: false, plateInDark: false })
    expect(await sharp(logo.bytes).metadata()).toMatchObject({
      format: extension === 'jpg' ? 'jpeg' : 'png',
      space: 'srgb',
    })
  })

  it('an SVG logo is converted to a PNG that is 640 pixels wide, keeps transparent areas, and has the same bytes each time', async () => {
    const logo = await encoded(blackShape)
    expect(logo).toMatchObject({ extension: 'png', width: 640, height: 213, plateInDark: true })
    expect((await sharp(logo.bytes).stats()).isOpaque).toBe(false)
    expect((await encoded(blackShape)).hash).toBe(logo.hash)
  })

  it('a large logo is scaled down without distortion, and a small logo is not scaled up', async () => {
    expect(await encoded(await picture('png', { width: 2000, height: 500 }))).toMatchObject({ width: 640, height: 160 })
    expect(await encoded(await picture('png', { width: 16, height: 16 }))).toMatchObject({ width: 16, height: 16 })
  })

  it('an encoded logo contains neither metadata nor data appended to the picture', async () => {
    const secret = 'taken at home'
    const plain = await picture('jpeg')
    const tagged = await sharp(plain)
      .withExif({ IFD0: { ImageDescription: secret } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`)
      .toBuffer()
    const polyglot = Buffer.concat([tagged, Buffer.from('PK\u0003\u0004<script>alert(1)</script>')])
    expect(tagged.includes(secret)).toBe(true)
    const { bytes } = await encoded(polyglot)
    expect(Buffer.from(bytes).includes(secret)).toBe(false)
    expect(Buffer.from(bytes).includes('script')).toBe(false)
    expect(await sharp(bytes).metadata()).not.toHaveProperty('exif')
  })

  it('a logo is rotated by the orientation in its metadata', async () => {
    const sideways = await sharp(await picture('jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(await encoded(sideways)).toMatchObject({ width: 40, height: 120 })
  })

  it('an animated logo is stored as its first frame', async () => {
    const size = { width: 40, height: 40 }
    const pictures = [
      await picture('png', size),
      await sharp(await picture('png', size))
        .negate()
        .png()
        .toBuffer(),
    ]
    const frames = await sharp(pictures, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer()
    expect((await sharp(frames, { animated: true }).metadata()).pages).toBe(2)
    const logo = await encoded(frames)
    expect(logo).toMatchObject({ width: 40, height: 40 })
    const colorOf = async (file: Uint8Array) => (await sharp(file).stats()).channels.slice(0, 3).map(({ mean }) => mean)
    expect(await colorOf(logo.bytes)).toEqual(await colorOf(pictures[0] as Buffer))
    expect(await colorOf(logo.bytes)).not.toEqual(await colorOf(pictures[1] as Buffer))
  })
})

describe('SVG logos', () => {
  const entity = (url: string) =>
    Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${url}">]><svg xmlns="http://www.w3.org/2000/svg" width="400" height="40"><text y="20">&x;</text></svg>`,
    )

  it('an SVG logo is stored as a picture without scripts and links', async () => {
    const { bytes } = await encoded(
      svg('<script>alert(1)</script><a href="javascript:alert(1)"><rect onload="alert(1)" width="9" height="9"/></a>'),
    )
    expect(Buffer.from(bytes.subarray(1, 4)).toString()).toBe('PNG')
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/script|alert|svg/)
  })

  it.each([
    ['an external entity', entity('file:///etc/passwd')],
    ['an external entity from the network', entity('http://127.0.0.1:1/')],
  ])('an SVG logo with %s is refused', async (_what, file) => {
    expect(await encode(file)).toEqual({ problem: 'unreadable' })
  })

  it('an encoded SVG logo shows a picture that is embedded in the SVG', async () => {
    const href = `data:image/png;base64,${(await picture('png')).toString('base64')}`
    expect(await showsAnything(await encoded(svg(`<image href="${href}" width="120" height="40"/>`)))).toBe(true)
  })

  it('encoding an SVG logo does not load referenced files and URLs', async () => {
    const references = [
      'file:///etc/passwd',
      `file://${process.cwd()}/app/icon.svg`,
      `${process.cwd()}/app/icon.svg`,
      'app/icon.svg',
      'http://127.0.0.1:1/x.png',
    ].map((href) => {
      const style = `<style>@import url("${href}"); rect { fill: url("${href}#a") }</style>`
      return `${style}<image href="${href}" width="120" height="40"/><use href="${href}#a"/>`
    })
    expect(await showsAnything(await encoded(svg(references.join(''))))).toBe(false)
  })
})

describe('refused logo files', () => {
  it.each([
    ['format', 'a GIF', () => picture('gif')],
    ['empty', 'an empty file', async () => Buffer.alloc(0)],
    ['too_large', '513 kB', async () => Buffer.concat([await picture('png'), Buffer.alloc(513 * 1024)])],
    ['unreadable', 'a truncated PNG', async () => (await picture('png')).subarray(0, 90)],
    ['unreadable', 'a truncated JPEG', async () => (await picture('jpeg')).subarray(0, 300)],
    ['unreadable', 'a PNG with a wrong checksum', async () => (await picture('png')).fill(0, 50, 60)],
    [
      'unreadable',
      'an HTML page that contains an SVG',
      async () => Buffer.from('<html><svg></svg><script>1</script></html>'),
    ],
    ['unreadable', 'an SVG of zero width and height', async () => svg('', 'width="0" height="0"')],
    ['unreadable', 'an SVG that is not closed', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['pixels', 'an SVG of 100,000 x 100,000', async () => svg('<rect/>', 'width="100000" height="100000"')],
    ['pixels', 'a PNG with one pixel row too many', async () => hugePng(4096, 4097)],
  ] as const)('a logo file is refused with the problem %s: %s', async (problem, _what, file) => {
    expect(await encode(await file())).toEqual({ problem })
  })

  it('an SVG logo with exponential entities or references is refused within the time limit', async () => {
    const groups = Array.from(
      { length: 12 },
      (_, n) => `<g id="a${n + 1}">${`<use href="#a${n}"/>`.repeat(10)}</g>`,
    ).join('')
    const began = performance.now()
    expect(await encode(svg(`<g id="a0"><rect width="1" height="1"/></g>${groups}<use href="#a12"/>`), 1)).toEqual({
      problem: 'costly',
    })
    expect(performance.now() - began).toBeLessThan(20_000)
    const laughs = [...'bcdefghij'].map((name, n) => `<!ENTITY ${name} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')
    const document = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${laughs}]>`
    expect(await encode(Buffer.from(`${document}${svg('<text>&j;</text>')}`))).toEqual({ problem: 'unreadable' })
  })

  it('an SVG logo is refused if its embedded image needs too much memory', async () => {
    const inside = hugePng(20_000, 20_000).toString('base64')
    const file = svg(`<image href="data:image/png;base64,${inside}" width="120" height="40"/>`)
    expect(file.length).toBeLessThan(logoLimits.bytes)
    expect(await encode(file, 30)).toEqual({ problem: 'costly' })
  })

  it('a logo is refused if the encoding queue is full', async () => {
    const storefronts = Array.from({ length: 14 }, (_, n) => `storefront_${n}`)
    const atOnce = { seconds: 0 }
    const results = await Promise.allSettled(storefronts.map((id) => encodeLogo(id, blackShape, atOnce)))
    const refused = results.filter((each) => each.status === 'rejected')
    expect(refused.length).toBe(5)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 })
  })
})
