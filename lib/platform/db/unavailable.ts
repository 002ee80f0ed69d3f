/**
 * Whether an error means that the database is temporarily unavailable: it restarts, a connection was cut, nothing is
 * free, it took too long, it takes no writes. The error does not say whether anything was changed: a connection may break in the middle of
 * a COMMIT.
 *
 * The driver has no class for most of them. So an error is recognized by its code, by its causes and, if it has nothing
 * else, by its words.
 */
export function isUnavailable(error: unknown): boolean {
  return layersOf(error).some(
    ({ code, message }) =>
      (typeof code === 'string' && passing.test(code)) || (typeof message === 'string' && words.test(message)),
  )
}

/** Whether a server takes no writes: it follows another one since a failover, or was set so (`default_transaction_read_only`). */
export const isReadOnly = (error: unknown): boolean => layersOf(error).some(({ code }) => code === '25006')

/** Whether a table, a column or a function is not there, as in a database that is not migrated. */
export const lacksTables = (error: unknown): boolean =>
  layersOf(error).some(({ code }) => typeof code === 'string' && /^(?:42P01|42703|42883)$/.test(code))

/** Whether a database does not let us in, or is another one than was meant. */
export const isOtherDatabase = (error: unknown): boolean =>
  lacksTables(error) ||
  layersOf(error).some(({ code }) => typeof code === 'string' && /^(?:28000|28P01|3D000|42501)$/.test(code))

/** Whether a transaction was refused since the storefront is on hold (the function `refuse_while_held`). */
export const isOnHold = (error: unknown): boolean =>
  layersOf(error).some(({ code, message }) => code === '55P03' && message === 'the storefront is on hold')

/** A storefront is on hold as long as its move takes: minutes. What is away otherwise is back as soon as it can be. */
const holdSeconds = 60

/** After how many seconds to ask again for what an error put off: `usually`, unless it is a hold. */
export const secondsToWait = (error: unknown, usually: number): number => (isOnHold(error) ? holdSeconds : usually)

const passing = new RegExp(
  `^(?:${[
    // PostgreSQL: connections, resources, locks and time that ran out, conflicts, shutdown and startup, a server without writes, its
    // disk.
    '08...|53...|55P03|57014|57P0[1-5]|40001|40P01|25006|58030',
    // The socket.
    'ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH',
  ].join('|')})$`,
)

/** Errors without a code, in the driver's own words. */
const words =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|is not queryable|Cannot use a pool after calling end|There was an error establishing an SSL connection/

type Layer = Readonly<Record<string, unknown>>

/** The error and its causes, the outermost first. */
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
