/**
 * Whether an error means that the database is temporarily unavailable or read-only. Despite the error, the change may have been committed, because a connection
 * can break during COMMIT. Most of these driver errors have no class, so the code, cause, or message decides.
 */
export function isUnavailable(error: unknown): boolean {
  return layersOf(error).some(
    ({ code, message }) =>
      (typeof code === 'string' && passing.test(code)) || (typeof message === 'string' && words.test(message)),
  )
}

export const isReadOnly = (error: unknown): boolean => layersOf(error).some(({ code }) => code === '25006')

/** True for a database without our migrations. */
export const lacksTables = (error: unknown): boolean =>
  layersOf(error).some(({ code }) => typeof code === 'string' && /^(?:42P01|42703|42883)$/.test(code))

export const isOtherDatabase = (error: unknown): boolean =>
  lacksTables(error) ||
  layersOf(error).some(({ code }) => typeof code === 'string' && /^(?:28000|28P01|3D000|42501)$/.test(code))

/** Whether the function `refuse_while_held` refused the transaction, because the storefront is on hold. */
export const isOnHold = (error: unknown): boolean =>
  layersOf(error).some(({ code, message }) => code === '55P03' && message === 'the storefront is on hold')

/**
 * The seconds after which a client may retry while the storefront is on hold. A storefront is on hold while it is
 * moved, which takes minutes.
 */
const holdSeconds = 60

export const secondsToWait = (error: unknown, usually: number): number => (isOnHold(error) ? holdSeconds : usually)

const passing = new RegExp(
  `^(?:${[
    // PostgreSQL error codes for connection failures, missing resources, locks, timeouts, conflicts, restarts,
    // read-only servers, and disk errors.
    '08...|53...|55P03|57014|57P0[1-5]|40001|40P01|25006|58030',
    'ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH',
  ].join('|')})$`,
)

const words =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|is not queryable|Cannot use a pool after calling end|There was an error establishing an SSL connection/

type Layer = Readonly<Record<string, unknown>>

/** The error, its causes, and the errors that it collects. */
export function layersOf(error: unknown): Layer[] {
  const layers: Layer[] = []
  for (const open = [error]; open.length > 0; ) {
    const layer = open.shift()
    if (typeof layer !== 'object' || layer === null || layers.includes(layer as Layer)) continue
    layers.push(layer as Layer)
    const { cause, errors } = layer as Layer
    open.push(cause, ...(Array.isArray(errors) ? errors : []))
  }
  return layers
}
