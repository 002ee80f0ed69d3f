import { createHash } from 'node:crypto'

/** This file replaces ids, tokens, times, addresses, and durations, so that every run records the same values. */

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const randomLooking = (seed: string, length: number): string =>
  [...createHash('sha512').update(seed).digest()]
    .slice(0, length)
    .map((byte) => base62[byte % base62.length])
    .join('')

const minuteMs = 60_000

/**
 * Returns a function that replaces the values that differ between runs. `addresses` maps the URLs of the test to their
 * replacements.
 */
export function steadyValues(addresses: Readonly<Record<string, string>>): (value: unknown) => unknown {
  const known = new Map<string, string>()
  const replaced = (kind: string, found: string, length: number) => {
    const text = known.get(found) ?? randomLooking(`${kind} ${known.size}`, length)
    known.set(found, text)
    return text
  }
  const steadyText = (text: string): string => {
    const placed = Object.entries(addresses).reduce((all, [from, to]) => all.replaceAll(from, to), text)
    return placed
      .replaceAll(/\b([a-z_]+_)([0-9A-Za-z]{22})\b/g, (_, prefix, rest) => `${prefix}${replaced(prefix, rest, 22)}`)
      .replaceAll(/\/([0-9A-Za-z_-]{44,64})(?=$|[/?#])/g, (_, token) => `/${replaced('token', token, 44)}`)
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (moment) => {
        const ms = Math.floor(Date.parse(moment) / minuteMs) * minuteMs
        return new Date(ms).toISOString().replace('.000Z', 'Z')
      })
  }
  const steady = (value: unknown, name = ''): unknown => {
    if (name === 'durationMs') return 84
    if (typeof value === 'string') return steadyText(value)
    if (Array.isArray(value)) return value.map((each) => steady(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, steady(each, key)]))
  }
  return (value) => steady(value)
}

export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (value === null) return null
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
}
