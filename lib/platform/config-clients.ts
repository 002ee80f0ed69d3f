import { z } from 'zod'
import { headerName, whole } from './config-values.ts'

export const clientVariables = {
  CLIENT_ADDRESS_HEADER: headerName('such as X-Forwarded-For')
    .optional()
    .describe(
      'The header in which the proxy passes the address of the client. The last entry of the header ' +
        'counts. Set this variable if clients reach the service only through this proxy. Do not set it if clients can reach the service directly, because they could then invent the header. Without this variable, all clients behind a proxy share one rate limit.',
    ),
  MAX_CONNECTIONS_PER_ADDRESS: whole('must be a number of connections, or 0 for no limit', 0, 999_999_999)
    .default(400)
    .describe(
      'The number of connections that one client address can hold open to each web process. In IPv6, a /64 network counts as one address. All web processes together accept up to `WEB_PROCESSES` times this number. For each further connection, the process closes the connection of the same address that has been idle for the longest time. With `CLIENT_ADDRESS_HEADER`, this limit does not apply.',
    ),
  GEO_HEADER: headerName('such as CF-IPCountry')
    .optional()
    .describe('The header in which a trusted proxy passes the country of the buyer.'),
  GEO_DATABASE: z
    .string()
    .regex(/^\/.{1,1000}\.mmdb$/, 'must be the absolute path of a country database in the MaxMind DB format (.mmdb)')
    .optional()
    .describe(
      'The absolute path of a database file that maps IP addresses to countries (MaxMind DB format, at most 32 MB). The file is used if `GEO_HEADER` names no country. In production, also set `CLIENT_ADDRESS_HEADER`. Restart the service after you replace the file.',
    ),
}

type Values = z.output<z.ZodObject<typeof clientVariables>>

export const clientsOf = (value: Values) => ({
  clientAddressHeader: value.CLIENT_ADDRESS_HEADER ?? null,
  /** The maximum number of open connections per client address and process; 0 means no limit. */
  maxConnectionsPerAddress: value.MAX_CONNECTIONS_PER_ADDRESS,
  geoHeader: value.GEO_HEADER ?? null,
  geoDatabase: value.GEO_DATABASE ?? null,
})
