import { readFile, stat } from 'node:fs/promises'
import { Reader, type Response } from 'mmdb-lib'
import { isCountry } from '../../kernel/countries.ts'
import { config } from '../config.ts'
import { log } from '../log.ts'
import { isPublicAddress } from '../outbound/public-address.ts'
import { shortError } from '../short-error.ts'
import { clientAddress } from './client-address.ts'

/**
 * The visitor's country (ISO 3166-1 alpha-2) from the trusted header (`GEO_HEADER`), or else from the offline database
 * (`GEO_DATABASE`). Never throws: an unreadable database counts as missing.
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

/** The MaxMind DB format has two record shapes: `country.iso_code` and `country_code`. */
type CountryRecord = { readonly country?: { readonly iso_code?: unknown }; readonly country_code?: unknown }

function countryOfAddress(database: Reader<Response> | null, address: string): string | null {
  // The reader throws for an IPv6 address in an IPv4 database.
  if (!database || (database.metadata.ipVersion === 4 && address.includes(':'))) return null
  try {
    const record = database.get(address) as CountryRecord | null
    return countryCode(record?.country?.iso_code ?? record?.country_code)
  } catch (error) {
    log.error({ error: shortError(error) }, 'GEO_DATABASE is damaged')
    return null
  }
}

/** A country database is 2 to 10 MB and stays in memory. The limit excludes city databases, which are larger. */
const mostBytes = 32_000_000

/** Databases by path. The bundles of the server and of the pages share these databases. */
const shared = globalThis as typeof globalThis & {
  billhookCountryDatabases?: Map<string, Promise<Reader<Response> | null>>
}

function opened(file: string): Promise<Reader<Response> | null> {
  shared.billhookCountryDatabases ??= new Map()
  const databases = shared.billhookCountryDatabases
  const known = databases.get(file)
  if (known) return known
  const database = read(file).catch((error: unknown) => {
    log.error({ error: shortError(error) }, 'GEO_DATABASE cannot be read, so client addresses have no country')
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

/**
 * Returns the build day of the country database, such as 2026-11-20; null if no database is configured. Throws if the
 * database is unreadable.
 */
export async function geoDatabaseDay(file: string | null): Promise<string | null> {
  return file === null ? null : (await read(file)).metadata.buildEpoch.toISOString().slice(0, 10)
}
