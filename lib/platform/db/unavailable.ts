/**
 * Whether the database is temporarily unavailable or read-only. The error does not show whether a change was made: a
 * connection may break in the middle of a COMMIT. The driver has no class for most of these errors, so code, cause, or
 * message decides.
 */
export function isUnavailable(error: unknown): boolean {
  return layersOf(error).some(
    ({ code, message }) =>
      (typeof code === 'string' && passing.test(code)) || (typeof message === 'string' && words.test(message)),
  )
}

/** Whether a server is read-only: it follows another server, or was set so (`default_transaction_read_only`). */
export const isReadOnly = (error: unknown): boolean => layersOf(error).some(({ code }) => code === '25006')

/** Whether a table, column, or function is missing, as in a database without the migrations. */
export const lacksTables = (error: unknown): boolean =>
  layersOf(error).some(({ code }) => typeof code === 'string' && /^(?:42P01|42703|42883)$/.test(code))

/** Whether a database refuses our log-in, or is not the intended database. */
export const isOtherDatabase = (error: unknown): boolean =>
  lacksTables(error) ||
  layersOf(error).some(({ code }) => typeof code === 'string' && /^(?:28000|28P01|3D000|42501)$/.test(code))

/** Whether a transaction was refused because the storefront is on hold (the function `refuse_while_held`). */
export const isOnHold = (error: unknown): boolean =>
  layersOf(error).some(({ code, message }) => code === '55P03' && message === 'the storefront is on hold')

/** Seconds to wait while a storefront is on hold: a move takes minutes. Other outages end sooner. */
const holdSeconds = 60

/** After how many seconds to retry: `usually`, except for a hold. */
export const secondsToWait = (error: unknown, usually: number): number => (isOnHold(error) ? holdSeconds : usually)

const passing = new RegExp(
  `^(?:${[
    // PostgreSQL: connections, resources, locks, timeouts, conflicts, restarts, read-only, disk.
    '08...|53...|55P03|57014|57P0[1-5]|40001|40P01|25006|58030',
    'ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH',
  ].join('|')})$`,
)

/** Errors without a code, by the driver's messages. */
const words =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|is not queryable|Cannot use a pool after calling end|There was an error establishing an SSL connection/

type Layer = Readonly<Record<string, unknown>>

function layersOf(error: unknown): Layer[] {
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
