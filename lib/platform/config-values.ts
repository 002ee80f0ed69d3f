import { z } from 'zod'
import { addDuration, type Duration } from '../kernel/calendar.ts'
import { canonicalDomain, canonicalEmail } from '../kernel/email.ts'
import { fraction } from '../kernel/money.ts'
import { isStorableText } from '../kernel/text.ts'
import { hasUserInfo, parseHttpUrl, parseUrl, percentDecoded } from '../kernel/url.ts'

/** Each `rule` completes an error sentence that begins with the variable's name, such as "must be a number". */

export const whole = (rule: string, low: number, high: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= low && value <= high, rule)

export const text = (most: number) =>
  z.string().trim().min(1, `must be 1 to ${most} characters`).max(most, `must be 1 to ${most} characters`)

export const webAddress = (rule: string) => z.string().refine((value) => isWebAddress(value), rule)

export const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((value) => value.split(',').map((each) => each.trim()))
    .pipe(z.array(item))

export const parsed = <Value>(parse: (text: string) => Value | null, rule: string) =>
  z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== null) return value
    context.addIssue(rule)
    return z.NEVER
  })

export const headerName = (example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, `must be the name of a request header, ${example}`)
    .toLowerCase()

export const secret = z.string().min(32, 'must be at least 32 characters')

export function decimal(rule: string, decimals: number) {
  return z.string().regex(new RegExp(`^\\d{1,9}(\\.\\d{1,${decimals}})?$`), rule)
}

export function euroAmount(rule: string) {
  return decimal(rule, 2).transform((value) => (fraction(value).numerator * 100n) / fraction(value).denominator)
}

export function isWebAddress(value: string): boolean {
  return parseHttpUrl(value) !== null
}

export function originOf(value: string): string | null {
  const url = parseHttpUrl(value)
  return url && !hasUserInfo(value) && `${url.pathname}${url.search}${url.hash}` === '/' ? url.origin : null
}

/**
 * Validates the URL of a service. Returns the URL without a trailing slash, or null. Plain http is valid only for the
 * local machine.
 */
export function serviceOf(value: string): string | null {
  const url = parseHttpUrl(value)
  if (!url || hasUserInfo(value) || url.search !== '' || url.hash !== '') return null
  const isHere = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || isHere ? url.href.replace(/\/+$/, '') : null
}

export function isPostgresAddress(value: string): boolean {
  return /^postgres(ql)?:$/.test(parseUrl(value)?.protocol ?? '')
}

/**
 * Parses the URL of a mail server. Returns null for an invalid URL. `secure` means TLS from the first byte. `auth` is
 * null if the URL has no user name.
 */
export function mailServer(value: string) {
  const [, scheme, user, password, host, port] =
    /^(smtps?):\/\/(?:([^:@/?#]+):([^:@/?#]+)@)?([a-z\d._-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?\/?$/i.exec(value) ?? []
  const [name, pass] = [percentDecoded(user ?? ''), percentDecoded(password ?? '')]
  if (scheme === undefined || host === undefined || name === null || pass === null) return null
  const secure = scheme.toLowerCase() === 'smtps'
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port ?? (secure ? 465 : 587)),
    secure,
    auth: name === '' ? null : { user: name, pass },
  }
}

export function mailSender(value: string): { name: string; address: string } | null {
  const [, name = '', inBrackets, alone = ''] = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/.exec(value.trim()) ?? []
  const address = canonicalEmail(inBrackets ?? alone)
  return address !== null && isStorableText(name) && name.length <= 100 ? { name: name.trim(), address } : null
}

/** Parses an email address or a domain, with or without a leading `@`. Returns the canonical form or null. */
export function mailRecipient(value: string): string | null {
  return canonicalEmail(value) ?? canonicalDomain(value.replace(/^@/, ''))
}

export function lastsBetween(duration: Duration, least: number, most: number): boolean {
  const seconds = (addDuration(new Date(0), duration)?.getTime() ?? Number.POSITIVE_INFINITY) / 1000
  return seconds >= least && seconds <= most
}
