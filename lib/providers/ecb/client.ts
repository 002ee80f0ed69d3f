import { config } from '../../platform/config.ts'
import { type DayOfRates, readRates } from './read.ts'

const timeoutMs = 10_000
const mostBytes = 100_000

/** The newest reference rates. Throws if they cannot be had. */
export async function fetchRates(): Promise<DayOfRates> {
  const response = await fetch(config().ecbRatesUrl, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`the reference rates answer ${response.status}`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > mostBytes) throw new Error('the file of reference rates is too large')
    parts.push(part)
  }
  const read = readRates(Buffer.concat(parts).toString())
  if (!read) throw new Error('the file of reference rates has none')
  return read
}
