import { z } from 'zod'
import { parsedJson, type Reply, said, type TaxIdAnswer, unknown } from '../tax-id-registry/registry.ts'

const lookup = z.object({
  target: z.object({
    vatNumber: z.string(),
    name: z.string().nullish(),
    address: z.record(z.string(), z.unknown()).nullish(),
  }),
  consultationNumber: z.string().nullish(),
})

const failure = z.object({ code: z.string() })

/**
 * Reads HMRC's response for the number `vrn`, which has 9 or 12 digits. A 200 for this number means valid, and a 404
 * with the code `NOT_FOUND` means invalid. Any other response means unknown.
 */
export function readAnswer({ status, text }: Reply, vrn: string): TaxIdAnswer {
  const body = parsedJson(text)
  if (status !== 200) {
    const code = failure.safeParse(body).data?.code ?? `HTTP_${status}`
    return status === 404 && code === 'NOT_FOUND' ? { ...unknown(''), result: 'invalid', error: null } : unknown(code)
  }
  const read = lookup.safeParse(body)
  if (!read.success) return unknown('UNREADABLE_ANSWER')
  const { target, consultationNumber } = read.data
  // Compares nine digits, because the last three of twelve digits identify a branch of the trader.
  if (target.vatNumber.slice(0, 9) !== vrn.slice(0, 9)) return unknown('ANSWER_TO_ANOTHER_NUMBER')
  return {
    result: 'valid',
    name: said(target.name, 255),
    address: said(addressOf(target.address ?? {}), 1000),
    consultationNumber: said(consultationNumber, 50),
    error: null,
  }
}

const addressLines = ['line1', 'line2', 'line3', 'line4', 'line5', 'postcode', 'countryCode']

const addressOf = (address: Readonly<Record<string, unknown>>): string =>
  addressLines.flatMap((line) => (typeof address[line] === 'string' ? [address[line]] : [])).join('\n')
