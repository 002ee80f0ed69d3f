/**
 * Whether an error means that the database is temporarily unavailable: it restarts, a connection was cut, nothing is
 * free, it took too long. The error does not say whether anything was changed: a connection may break in the middle of
 * a COMMIT.
 *
 * The driver, its adapter and Prisma each wrap the cause in their own way, and the two bundles of one process have
 * classes of their own. So an error is recognized by its fields, its causes and, if it has nothing else, its words.
 */
export function isUnavailable(error: unknown): boolean {
  return layersOf(error).some(
    ({ code, originalCode, kind, message }) =>
      [code, originalCode].some((each) => typeof each === 'string' && passing.test(each)) ||
      (typeof kind === 'string' && passingKinds.has(kind)) ||
      (typeof message === 'string' && saysSo(message)),
  )
}

const passing = new RegExp(
  `^(?:${[
    // PostgreSQL: connections, resources, locks and time that ran out, conflicts, shutdown and startup.
    '08...|53...|55P03|57014|57P0[1-3]|40001|40P01',
    // Prisma: not reachable, too late, closed, no connection, no transaction, conflict, too many connections.
    'P1001|P1002|P1008|P1017|P2024|P2028|P2034|P2037',
    // The socket.
    'ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH',
  ].join('|')})$`,
)

/** The adapter's temporary errors, by `kind`. */
const passingKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'TransactionWriteConflict',
])

/** Errors without a code: the driver's own words, and what Prisma makes of a raw query's error. */
const words =
  /Connection terminated|timeout exceeded when trying to connect|is not queryable|Cannot use a pool after calling end|Can't reach database server|Server has closed the connection|Unable to start a transaction|There was an error establishing an SSL connection/

const saysSo = (message: string): boolean => {
  const [, code] = /Code: `(\w{5})`/.exec(message) ?? []
  return words.test(message) || (code !== undefined && passing.test(code))
}

type Layer = Readonly<Record<string, unknown>>

/** The error and its causes, the outermost first. */
function layersOf(error: unknown): Layer[] {
  const layers: Layer[] = []
  for (const open = [error]; open.length > 0; ) {
    const layer = open.shift()
    if (typeof layer !== 'object' || layer === null || layers.includes(layer as Layer)) continue
    layers.push(layer as Layer)
    const { cause, meta, driverAdapterError, errors } = layer as Layer
    open.push(cause, meta, driverAdapterError, ...(Array.isArray(errors) ? errors : []))
  }
  return layers
}
