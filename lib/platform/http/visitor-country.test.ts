import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { countryDatabase } from '../../testing/country-database.ts'
import * as config from '../config.ts'
import { writeClientAddress } from './client-address.ts'
import { countryOfVisitor, geoDatabaseDay } from './visitor-country.ts'

let folder: string
let database: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countries-'))
  database = path.join(folder, 'countries.mmdb')
  const networks = {
    '8.8.8.0/24': { country: { iso_code: 'US' } },
    '193.0.0.0/21': { country_code: 'NL' },
    '2a00:1450::/32': { country_code: 'ie' },
    '10.0.0.0/8': { country_code: 'FR' },
    '9.9.9.0/24': { country_code: 'ZZ' },
    '9.9.8.0/24': { country: 'DE' },
  }
  await writeFile(database, countryDatabase(networks, new Date('2026-11-20T10:00:00Z')))
})

afterAll(() => rm(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

interface Given {
  readonly header?: string
  readonly database?: string | null
}

function countryOf(address: string, { header, database: file = database }: Given = {}): Promise<string | null> {
  const set = { geoHeader: header === undefined ? null : 'cf-ipcountry', geoDatabase: file }
  vi.spyOn(config, 'config').mockReturnValue(set as config.Config)
  const headers: Record<string, string> = { 'x-forwarded-for': `1.2.3.4, ${address}` }
  if (header !== undefined) headers['cf-ipcountry'] = header
  const message = { headers, socket: { remoteAddress: '127.0.0.1' } } as unknown as IncomingMessage
  writeClientAddress(message, 'x-forwarded-for')
  return countryOfVisitor((name) => headers[name] ?? null)
}

describe('visitor countries', () => {
  it.each([
    ['8.8.8.8', 'US'],
    ['193.0.6.139', 'NL'],
    ['::ffff:193.0.6.139', 'NL'],
    ['2a00:1450:4001::1', 'IE'],
    ['193.0.8.1', null],
    ['2a01::1', null],
    ['9.9.9.9', null],
    ['9.9.8.8', null],
    ['10.1.2.3', null],
    ['127.0.0.1', null],
    ['::1', null],
    ['fe80::1', null],
    ['fd00::1', null],
    ['2002:c100:68b::1', null],
    ['unknown', null],
  ])('the country database maps the visitor address %s to the country %s', async (address, country) => {
    expect(await countryOf(address)).toBe(country)
  })

  it('a valid country in the trusted header overrides the country database', async () => {
    expect(await countryOf('8.8.8.8', { header: 'be' })).toBe('BE')
    expect(await countryOf('8.8.8.8', { header: 'XX' })).toBe('US')
    expect(await countryOf('8.8.8.8', { header: 'XX', database: null })).toBeNull()
    expect(await countryOf('8.8.8.8', { database: null })).toBeNull()
  })

  it('the country of a visitor is unknown with a broken or missing country database', async () => {
    const broken = path.join(folder, 'broken.mmdb')
    await writeFile(broken, 'not a database')
    expect(await countryOf('8.8.8.8', { database: broken })).toBeNull()
    expect(await countryOf('8.8.8.8', { database: path.join(folder, 'away.mmdb') })).toBeNull()
  })
})

describe('country database build days', () => {
  it('geoDatabaseDay returns the build day of the country database', async () => {
    expect(await geoDatabaseDay(database)).toBe('2026-11-20')
    expect(await geoDatabaseDay(null)).toBeNull()
  })

  it('geoDatabaseDay throws for a missing, broken, or too large country database', async () => {
    const large = path.join(folder, 'large.mmdb')
    await writeFile(large, Buffer.alloc(32_000_001))
    await expect(geoDatabaseDay(large)).rejects.toThrow('more than 32 MB')
    await expect(geoDatabaseDay(path.join(folder, 'broken.mmdb'))).rejects.toThrow()
    await expect(geoDatabaseDay(path.join(folder, 'away.mmdb'))).rejects.toThrow('ENOENT')
  })
})
