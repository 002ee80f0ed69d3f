import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMerchant, createStorefront } from '../modules/accounts/operations.ts'
import { cliOf } from '../testing/command-line.ts'
import { blackShape } from '../testing/pictures.ts'

const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-brand-'))
afterAll(() => rmSync(data, { recursive: true }))
const at = (name: string, content?: Buffer | string) => {
  const file = path.join(data, name)
  if (content !== undefined) writeFileSync(file, content)
  return file
}

let storefront: string
beforeAll(async () => {
  const { merchantId } = await createMerchant({ name: 'Merchant' })
  storefront = (await createStorefront({ merchantId, name: 'Shop' })).storefrontId
})

const cli = (verb: string, ...flags: string[]) => cliOf(['brand', verb, '--storefront', storefront, ...flags])

describe('brand commands', () => {
  it('`brand set` changes and prints the brand, and an empty value clears its field', async () => {
    const set = await cli(
      'set',
      '--json',
      '--display-name',
      'Lumen',
      '--logo',
      at('logo.svg', blackShape),
      '--accent=#166534',
    )
    expect(set).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(set.stdout)).toMatchObject({
      displayName: 'Lumen',
      shownName: 'Lumen',
      logo: expect.stringMatching(/^\/brand\/[0-9a-f]{64}\.png \(640 x 213\)$/),
      accent: '#166534',
      accentInDark: expect.stringMatching(/^#[0-9a-f]{6}$/),
    })
    expect((await cli('show')).stdout).toContain('shownName: Lumen\n')
    const cleared = await cli('set', '--json', '--display-name=', '--logo', '', '--accent', '')
    expect(JSON.parse(cleared.stdout)).toMatchObject({ displayName: null, shownName: 'Shop', logo: null, accent: null })
  })

  it('`brand set` reports the flag, the rule, and the limit of each invalid value', async () => {
    const { status, stdout, stderr } = await cli(
      'set',
      ...['--logo', at('large.png', Buffer.alloc(513 * 1024)), '--accent', '#ffcc00'],
      ...['--support-url', 'http://a.example', '--display-name', 'x'.repeat(256)],
    )
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    for (const part of [
      '--logo: Must have at most 512 kB (524,288 bytes).',
      '--accent: The contrast with white is 1.51:1. Must be at least 4.5:1. The nearest accepted color is #917300.',
      '--support-url: Must be an https URL of at most 2,048 characters',
      '--display-name: Must have 1 to 255 characters',
    ])
      expect(stderr).toContain(part)
  })

  it.each([
    ['a missing file', () => at('missing.png'), 'does not exist'],
    ['a folder', () => data, 'Must be the path of a file'],
    ['a device', () => '/dev/zero', 'Must be the path of a file'],
    ['an empty file', () => at('empty.png', ''), 'Must not be empty'],
    ['a text', () => at('text.png', 'hello'), 'Must be a PNG, JPEG, WebP or SVG image'],
  ])('`brand set` refuses %s as a logo', async (_what, file, sentence) => {
    expect(await cli('set', '--logo', file())).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^--logo: .*${sentence}.*\\.\\n$`)),
    })
  })

  it('`brand preview` writes a page to a file or the terminal, without saving the brand', async () => {
    const flags = ['--display-name', 'Preview', '--logo', at('logo.svg', blackShape)]
    const out = at('preview.html')
    expect(await cli('preview', ...flags, '--out', out)).toEqual({ status: 0, stdout: `file: ${out}\n`, stderr: '' })
    const html = readFileSync(out, 'utf8')
    expect(html).toMatch(/^<!doctype html>[\s\S]*alt="Preview"/)
    expect((await cli('preview', ...flags)).stdout.trim()).toBe(html.trim())
    expect(await cli('preview', ...flags, '--out', at('none/x.html'))).toMatchObject({
      status: 1,
      stderr: '--out: The file cannot be written (ENOENT).\n',
    })
    expect(JSON.parse((await cli('show', '--json')).stdout)).toMatchObject({ displayName: null, logo: null })
  })
})
