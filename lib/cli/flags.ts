import { invalid } from '../kernel/refusal.ts'

export const customer = { value: 'ID', help: "the customer's id", required: true } as const
export const storefront = { value: 'ID', help: "the storefront's id", required: true } as const
export const mode = { value: 'test|live', help: 'the mode (default: test)', oneOf: ['test', 'live'] } as const
/** A command that moves money must not have a default mode. */
export const requiredMode = { ...mode, help: 'the mode', required: true } as const
const liveMode = { ...mode, help: 'the mode (default: live)' } as const
export const eitherMode = { ...mode, help: 'only records of this mode (default: both)' } as const
export const limit = { value: 'N', help: 'the maximum number of rows, newest first (default: 50)' } as const
export const taxReturnFlags = {
  mode: liveMode,
  storefront: { value: 'ID', help: "the storefront's id, required in test mode and only there" },
  format: { value: 'table|csv', help: 'the format of the output (default: table)', oneOf: ['table', 'csv'] },
} as const

export const month = {
  value: 'PERIOD',
  help: 'a year, quarter or month, such as 2026, 2026-Q4 or 2026-12',
  required: true,
} as const

/** Writes the time in the name of a backup file, such as `2026-12-01T03-00-00Z`, with colons. Returns other texts unchanged. */
export const withColons = (time: string): string => time.replace(/^([\d-]+T\d\d)-(\d\d)-(\d\dZ)$/, '$1:$2:$3')

export const scopeOf = (storefrontId: string, mode: string | undefined) => ({ storefrontId, testmode: mode !== 'live' })

/** Adds the mode to the result of a change, so that the reader notices if the change was made in test mode by default. */
export const inMode = async <Answer extends object>(mode: string | undefined, change: () => Promise<Answer>) => ({
  testmode: mode !== 'live',
  ...(await change()),
})

export function filterOf({ mode, limit }: { mode: string | undefined; limit: string | undefined }) {
  const most = limit === undefined ? undefined : Number(limit)
  if (most !== undefined && !(Number.isInteger(most) && most >= 1 && most <= 1000))
    throw invalid('limit', 'Must be from 1 to 1000.')
  return { ...(mode && { testmode: mode === 'test' }), ...(most && { limit: most }) }
}
