import { readFile, stat } from 'node:fs/promises'
import { Reader, type Response } from 'mmdb-lib'
import { isCountry } from '../../kernel/countries.ts'
import { config } from '../config.ts'
import { log } from '../log.ts'
import { isPublicAddress } from '../outbound/public-address.ts'
import { shortError } from '../short-error.ts'
import { clientAddress } from './client-address.ts'

/**
 * The country (ISO 3166-1 alpha-2), from the trusted header (`GEO_HEADER`) or the offline database (`GEO_DATABASE`). No
 * service is asked. Never throws: an unreadable database counts as none.
 */
export async function countryOfVisitor(header: (name: string) => string | null): Promise<string | null> {
  const { geoHeader, geoDatabase } = config()
  return countryCode(geoHeader && header(geoHeader)) ?? (geoDatabase && (await look(geoDatabase, header)))
}

async function look(file: string, header: (name: string) => string | null): Promise<string | null> {
  const address = clientAddress({ headers: { get: header } })
  if (!isPublicAddress(address)) return null
  return countryOfAddress(await opened(file), address)
}

const countryCode = (text: unknown): string | null => {
  const code = typeof text === 'string' ? text.toUpperCase() : ''
  return isCountry(code) ? code : null
}

/** The two record shapes in the MaxMind DB format: `country.iso_code`, and a plain `country_code`. */
type CountryRecord = { readonly country?: { readonly iso_code?: unknown }; readonly country_code?: unknown }

function countryOfAddress(database: Reader<Response> | null, address: string): string | null {
  // A database for IPv4 contains no other addresses.
  if (!database || (database.metadata.ipVersion === 4 && address.includes(':'))) return null
  try {
    const record = database.get(address) as CountryRecord | null
    return countryCode(record?.country?.iso_code ?? record?.country_code)
  } catch (error) {
    log.error({ error: shortError(error) }, 'GEO_DATABASE is damaged')
    return null
  }
}

/** A country database has 2 to 10 MB and is kept in memory. The limit rejects a database of cities. */
const mostBytes = 32_000_000

/** One database per path, read at the first look-up, and shared by the two bundles of a process. */
const shared = globalThis as typeof globalThis & {
  billhookCountryDatabases?: Map<string, Promise<Reader<Response> | null>>
}

function opened(file: string): Promise<Reader<Response> | null> {
  shared.billhookCountryDatabases ??= new Map()
  const databases = shared.billhookCountryDatabases
  const known = databases.get(file)
  if (known) return known
  const database = read(file).catch((error: unknown) => {
    log.error({ error: shortError(error) }, 'GEO_DATABASE cannot be read: no country is known by address')
    return null
  })
  databases.set(file, database)
  return database
}

async function read(file: string): Promise<Reader<Response>> {
  const { size } = await stat(file)
  if (size > mostBytes) throw new Error(`it has more than ${mostBytes / 1_000_000} MB`)
  return new Reader(await readFile(file))
}

/** The build day, such as 2026-11-20; null without a database. Throws if it cannot be read. */
export async function geoDatabaseDay(file: string | null): Promise<string | null> {
  return file === null ? null : (await read(file)).metadata.buildEpoch.toISOString().slice(0, 10)
}
