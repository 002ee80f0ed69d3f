import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { GET } from '../../../app/brand/[file]/route.ts'
import { sentencesOf } from '../../kernel/refusal.ts'
import { db } from '../../platform/db/db.ts'
import { blackShape, picture, svg } from '../../testing/pictures.ts'
import { aCatalogue, aCheckout, aShop, germanVisitor, type Shop } from '../../testing/shop.ts'
import { checkoutPage } from '../../workflows/sale/load-checkout.ts'
import { auditLog } from '../audit/operations.ts'
import { brandOf, checkBrand, previewBrand, saveBrand } from './operations.ts'
import { lockBrand, saveLogo } from './store.ts'

let shop: Shop
beforeEach(async () => {
  shop = await aShop()
})

const save = (changes: Parameters<typeof saveBrand>[1]) => saveBrand(shop.storefrontId, changes)
const ask = (file: string, headers: Record<string, string> = {}) =>
  GET(new Request(`http://localhost/brand/${file}`, { headers }), { params: Promise.resolve({ file }) })
const fileOf = (url = '') => url.slice('/brand/'.length)
async function savedLogo(logo: Buffer = blackShape): Promise<string> {
  return fileOf((await save({ logo })).shown.brand.logo?.url)
}

describe('brands', () => {
  it('an empty brand has the storefront’s name and the configured URLs', async () => {
    const { brand, shown } = await brandOf(shop.storefrontId)
    expect(brand).toEqual({
      displayName: null,
      accent: null,
      supportEmail: null,
      supportUrl: null,
      termsUrl: null,
      privacyUrl: null,
      logo: null,
    })
    expect(shown).toEqual({
      storefrontName: expect.any(String),
      termsUrl: null,
      privacyUrl: null,
      brand: { logo: null, colors: null, supportEmail: null, supportUrl: null },
    })
    expect(shown.storefrontName).not.toBe('')
  })

  it('saving a brand changes only the given fields, and an empty text clears a field', async () => {
    await save({ displayName: 'Lumen', accent: '#166534', termsUrl: 'https://lumen.example/terms' })
    await save({ supportEmail: 'Help@Lumen.example', accent: '' })
    const { brand, shown } = await save({ logo: blackShape })
    expect(brand).toMatchObject({
      displayName: 'Lumen',
      accent: null,
      supportEmail: 'help@lumen.example',
      termsUrl: 'https://lumen.example/terms',
      logo: { extension: 'png', width: 640, height: 213, plateInLight: false, plateInDark: true },
    })
    expect(shown.brand.logo).toEqual({
      url: `/brand/${brand.logo?.hash}.png`,
      width: 108,
      height: 36,
      isWordMark: true,
      plates: { light: false, dark: true },
    })
    expect((await save({ logo: null })).brand).toMatchObject({ displayName: 'Lumen', logo: null })
  })

  it('a brand with invalid fields is refused with an error on each field', async () => {
    await save({ displayName: 'Lumen' })
    const changes = { displayName: 'Other', accent: '#ffcc00', supportUrl: 'http://a.example', logo: Buffer.from('x') }
    const problems = {
      accent: [expect.stringContaining('1.51:1')],
      supportUrl: [expect.stringContaining('https')],
      logo: ['Must be a PNG, JPEG, WebP or SVG image.'],
    }
    await expect(save(changes)).rejects.toMatchObject({ code: 'validation_failed', on: problems })
    expect(sentencesOf(await checkBrand(shop.storefrontId, changes))).toEqual(problems)
    await expect(previewBrand(shop.storefrontId, changes)).rejects.toMatchObject({ on: problems })
    expect((await brandOf(shop.storefrontId)).brand).toMatchObject({ displayName: 'Lumen', accent: null, logo: null })
  })

  it('checkBrand() saves nothing', async () => {
    expect(await checkBrand(shop.storefrontId, { accent: '#166534', logo: blackShape })).toEqual({})
    expect((await brandOf(shop.storefrontId)).brand).toMatchObject({ accent: null, logo: null })
  })

  it('the brand of a storefront does not appear on another storefront', async () => {
    const other = await aShop()
    await save({ displayName: 'Lumen', logo: blackShape })
    expect((await brandOf(other.storefrontId)).brand).toMatchObject({ displayName: null, logo: null })
    await saveBrand(other.storefrontId, { logo: blackShape })
    await saveBrand(other.storefrontId, { logo: null })
    expect((await brandOf(shop.storefrontId)).brand.logo).not.toBeNull()
    for (const run of [brandOf, (id: string) => saveBrand(id, {}), (id: string) => checkBrand(id, {})])
      await expect(run('storefront_none')).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('the checkout page shows the display name, the accent color, and the privacy URL of the brand', async () => {
    const { planId } = await aCatalogue(shop)
    const { token } = await aCheckout(shop, [{ id: planId }])
    const { shown } = await save({
      displayName: 'Lumen',
      accent: '#166534',
      privacyUrl: 'https://lumen.example/privacy',
    })
    expect(await checkoutPage(token, germanVisitor)).toMatchObject(shown)
    expect(shown).toMatchObject({ storefrontName: 'Lumen', privacyUrl: 'https://lumen.example/privacy' })
  })

  it('concurrent saves of different fields of a brand both take effect', async () => {
    await Promise.all([save({ displayName: 'Lumen' }), save({ accent: '#166534' })])
    expect((await brandOf(shop.storefrontId)).brand).toMatchObject({ displayName: 'Lumen', accent: '#166534' })
  })

  it('after concurrent saves of two logos, the brand has exactly one of the two logos', async () => {
    const saved = await Promise.all([save({ logo: blackShape }), save({ logo: await picture('jpeg') })])
    const { hash } = (await brandOf(shop.storefrontId)).brand.logo ?? {}
    expect(saved.map(({ brand }) => brand.logo?.hash)).toContain(hash)
    expect(await db().brand_logos.count({ where: { storefront_id: shop.storefrontId } })).toBe(2)
  })

  it('saving a brand writes an audit entry without the support address', async () => {
    await save({ supportEmail: 'ada@lumen.example' })
    await save({ supportEmail: 'eve@lumen.example' })
    const [second, first] = await auditLog(null, 2)
    expect(first).toMatchObject({ before: { supportEmail: 'none' }, after: { supportEmail: 'another' } })
    expect(JSON.stringify([first?.after, second?.before, second?.after])).not.toContain('lumen.example')
  })

  it('saving a logo writes an audit entry without the picture', async () => {
    const by = { kind: 'operator', id: 'operator_1', address: '192.0.2.1' } as const
    await saveBrand(shop.storefrontId, { displayName: 'Lumen', logo: blackShape }, by)
    await save({ accent: '#166534' })
    const entries = await auditLog(null, 10)
    expect(entries.slice(0, 2)).toMatchObject([
      { actor: { kind: 'cli' }, action: 'brand.save', before: { accent: null }, after: { accent: '#166534' } },
      { actor: by, subject: shop.storefrontId, before: { logo: null }, after: { logo: { extension: 'png' } } },
    ])
    expect(JSON.stringify(entries.map(({ before, after }) => [before, after])).length).toBeLessThan(5_000)
  })

  it('a refused change of a brand writes no audit entry', async () => {
    const before = await db().audit_entries.count()
    await expect(save({ accent: '#ffffff' })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await db().audit_entries.count()).toBe(before)
  })
})

describe('database checks', () => {
  const invalid = [
    ['an accent color that contains CSS code', `UPDATE brands SET accent = '#fff;}'`],
    ['a URL without TLS', `UPDATE brands SET terms_url = 'http://a.example'`],
    ['a script as a URL', `UPDATE brands SET support_url = 'javascript:alert(1)'`],
    ['an empty display name', `UPDATE brands SET display_name = ''`],
    ['a support email address of 255 characters', `UPDATE brands SET support_email = repeat('a', 255)`],
    ['logo bytes that do not match their hash', `UPDATE brand_logos SET bytes = 'x'`],
    ['a logo extension that does not match the stored logo', `UPDATE brand_logos SET extension = 'svg'`],
    ['a logo wider than 640 pixels', `UPDATE brand_logos SET width = 641`],
  ] as const

  it('the database refuses every invalid value of a brand or a logo', async () => {
    await save({ displayName: 'Lumen', logo: blackShape })
    for (const [what, statement] of invalid)
      await expect(db().$executeRawUnsafe(statement), what).rejects.toThrow(/check constraint|violates/)
  })
})

describe('previews', () => {
  it('a brand preview shows unsaved values in both color schemes, and its HTML loads no external file', async () => {
    await save({ supportEmail: 'help@lumen.example' })
    const html = await previewBrand(shop.storefrontId, { displayName: 'Lumen', accent: '#166534', logo: blackShape })
    expect(html).toContain('<section class="light">')
    expect(html).toContain('<section class="dark">')
    expect(html).toContain('--accent:#166534')
    expect(html).toContain('help@lumen.example')
    expect(html.match(/src="data:image\/png;base64,[\w+/=]+" width="108" height="36" alt="Lumen"/g)).toHaveLength(2)
    expect(html).not.toMatch(/<script|<link|https?:\/\/(?!www\.w3)/)
    expect((await brandOf(shop.storefrontId)).brand).toMatchObject({ displayName: null, accent: null, logo: null })
  })

  it('a brand preview without changes shows the saved values', async () => {
    await save({ logo: await picture('jpeg'), displayName: 'Lumen' })
    const html = await previewBrand(shop.storefrontId, {})
    expect(html.match(/src="data:image\/jpeg;base64,[\w+/=]+"/g)).toHaveLength(2)
  })

  it.each(['light', 'dark'])(
    'a brand preview without an accent has the colors of globals.css in the %s scheme',
    async (scheme) => {
      const [light = '', dark = ''] = readFileSync('app/globals.css', 'utf8').split('prefers-color-scheme: dark')
      const html = await previewBrand(shop.storefrontId, {})
      const own = html.split('}').find((rule) => rule.includes(`.${scheme} { --`)) ?? ''
      const names = { accent: 'accent', deep: 'accent-deep', 'on-accent': 'on-accent', tint: 'tint' }
      const surfaces = ['paper', 'ground', 'ink', 'soft', 'line', 'field'].map((name) => [name, name])
      for (const [name, onPages] of [...surfaces, ...Object.entries(names)]) {
        const color = new RegExp(`--color-${onPages}: (#[0-9a-f]{6});`).exec(scheme === 'light' ? light : dark)?.[1]
        expect(own).toContain(`--${name}:${color}`)
      }
    },
  )

  it('a brand preview escapes markup in a name and a URL', async () => {
    const name = `</style><script>alert(1)</script><img src=x onerror="alert(1)">`
    const html = await previewBrand(shop.storefrontId, {
      displayName: name,
      supportUrl: 'https://a.example/"><script>alert(1)</script>',
    })
    expect(html).not.toMatch(/<script|<img/)
    expect(html).toContain('&lt;/style&gt;&lt;script&gt;')
  })
})

describe('logo files', () => {
  it('a logo file is served as immutable and without a cookie', async () => {
    const file = await savedLogo()
    const response = await ask(file, { cookie: 'portal=1' })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/png',
      etag: `"${file.slice(0, 64)}"`,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(response.headers.get('set-cookie')).toBeNull()
    const bytes = await response.arrayBuffer()
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
    expect(Buffer.from(bytes).subarray(1, 4).toString()).toBe('PNG')
  })

  it('a request with the ETag of a logo file gets 304', async () => {
    const file = await savedLogo()
    const etag = (await ask(file)).headers.get('etag') ?? ''
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await ask(file, { 'if-none-match': given })
      expect([response.status, await response.text()]).toEqual([304, ''])
      expect(response.headers.get('cache-control')).toContain('immutable')
    }
    expect((await ask(file, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('a request for an unknown or malformed logo file name gets 404', async () => {
    const file = await savedLogo()
    const [hash = ''] = file.split('.')
    for (const name of [
      `${'0'.repeat(64)}.png`,
      `${hash}.jpg`,
      `${hash}.svg`,
      hash,
      hash.toUpperCase().concat('.png'),
      `${file}/`,
      `../${file}`,
      '',
      '\u0000',
      `${'0'.repeat(100_000)}.png`,
      `' OR 1=1 --.png`,
    ]) {
      const response = await ask(name)
      expect(response.status, name.slice(0, 80)).toBe(404)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('a new logo has a new URL, and the previous logo is available at its old URL', async () => {
    const first = await savedLogo()
    const second = await savedLogo(svg('<circle r="9"/>'))
    expect(second).not.toBe(first)
    expect([(await ask(first)).status, (await ask(second)).status]).toEqual([200, 200])
    await save({ logo: null })
    expect((await ask(second)).status).toBe(200)
    expect((await brandOf(shop.storefrontId)).brand.logo).toBeNull()
    expect(await savedLogo()).toBe(first)
  })

  it('a storefront keeps only its newest twenty previous logos', async () => {
    // The logos are inserted directly, because encoding a logo is slow.
    const stored = (n: number) => {
      const bytes = Buffer.from(`picture ${n}`)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const logo = {
        hash,
        extension: 'png',
        width: 1,
        height: 1,
        plateInLight: false,
        plateInDark: false,
        bytes,
      } as const
      return db().$transaction(async (sql) => {
        const now = new Date(Date.UTC(2026, 0, 1, 0, n))
        await lockBrand(sql, shop.storefrontId, now)
        await saveLogo(sql, shop.storefrontId, logo, now)
        return hash
      })
    }
    const hashes: string[] = []
    for (let n = 0; n <= 21; n++) hashes.push(await stored(n))
    const kept = await db().brand_logos.findMany({ where: { storefront_id: shop.storefrontId } })
    expect(kept.map(({ hash }) => hash).sort()).toEqual(hashes.slice(1).sort())
  })
})
