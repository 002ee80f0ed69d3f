import { z } from 'zod'
import { parsedJson, type Reply, said, type TaxIdAnswer, unknown } from '../tax-id-registry/registry.ts'

/** The response to POST has `valid`. The response to the older GET has `isValid` and `userError`. */
const body = z.object({
  actionSucceed: z.boolean().nullish(),
  errorWrappers: z.array(z.object({ error: z.string() })).nullish(),
  valid: z.boolean().nullish(),
  isValid: z.boolean().nullish(),
  userError: z.string().nullish(),
  name: z.string().nullish(),
  address: z.string().nullish(),
  requestIdentifier: z.string().nullish(),
  countryCode: z.string().nullish(),
  vatNumber: z.string().nullish(),
})

/**
 * Reads the response of VIES. The result is `unknown` if the response is ambiguous or is not about the requested
 * number.
 */
export function readAnswer({ status, text }: Reply, asked: { countryCode: string; vatNumber: string }): TaxIdAnswer {
  const read = body.safeParse(parsedJson(text))
  if (!read.success) return unknown(status === 200 ? 'UNREADABLE_ANSWER' : `HTTP_${status}`)
  const answer = read.data
  const [failure] = answer.errorWrappers ?? []
  if (answer.actionSucceed === false || failure) return unknown(failure?.error ?? 'UNKNOWN_ERROR')
  if (answer.userError && !/^(VALID|INVALID)$/.test(answer.userError)) return unknown(answer.userError)
  const isValid = answer.valid ?? answer.isValid
  if (status !== 200 || isValid === undefined || isValid === null) return unknown(`HTTP_${status}`)
  if (!isAbout(answer, asked)) return unknown('ANSWER_TO_ANOTHER_NUMBER')
  return {
    result: isValid ? 'valid' : 'invalid',
    name: isValid ? said(answer.name, 255) : null,
    address: isValid ? said(answer.address, 1000) : null,
    consultationNumber: said(answer.requestIdentifier, 50),
    error: null,
  }
}

const isAbout = (
  { countryCode, vatNumber }: z.output<typeof body>,
  asked: { countryCode: string; vatNumber: string },
): boolean =>
  (countryCode ?? asked.countryCode) === asked.countryCode && (vatNumber ?? asked.vatNumber) === asked.vatNumber
