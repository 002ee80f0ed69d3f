import { config } from '../../platform/config.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { type DayOfRates, readRates } from './read.ts'

const timeoutMs = 10_000
const mostBytes = 100_000

/** The newest reference rates. Throws if they cannot be had. */
export async function fetchRates(): Promise<DayOfRates> {
  const response = await fetch(config().ecbRatesUrl, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`the reference rates answer ${response.status}`)
  const read = readRates(await readText(response, mostBytes))
  if (!read) throw new Error('the file of reference rates has none')
  return read
}
