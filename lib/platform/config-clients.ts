import { z } from 'zod'
import { headerName, whole } from './config-values.ts'

export const clientVariables = {
  CLIENT_ADDRESS_HEADER: headerName('such as X-Forwarded-For')
    .optional()
    .describe(
      'The header in which the proxy passes the address of the client. The last entry of the header ' +
        'counts. Set it only if clients can reach the service only through that proxy. Without it, all ' +
        'clients behind a proxy share one rate limit.',
    ),
  MAX_CONNECTIONS_PER_ADDRESS: whole('must be connections, 0 for no limit', 0, 999_999_999)
    .default(400)
    .describe(
      'Connections that one address (in IPv6: one /64 network) may hold at once. A further ' +
        'connection closes the one that has waited longest for a request. There is no limit with ' +
        '`CLIENT_ADDRESS_HEADER`.',
    ),
  GEO_HEADER: headerName('such as CF-IPCountry')
    .optional()
    .describe('The header in which a trusted proxy passes the country of the buyer.'),
  GEO_DATABASE: z
    .string()
    .regex(/^\/.{1,1000}\.mmdb$/, 'must be the absolute path of a country database in the MaxMind DB format (.mmdb)')
    .optional()
    .describe(
      'The absolute path of a country database (MaxMind DB format, at most 32 MB), used if ' +
        '`GEO_HEADER` names no country. Production requires `CLIENT_ADDRESS_HEADER` with it. Restart ' +
        'the service after you replace the file.',
    ),
}

type Values = z.output<z.ZodObject<typeof clientVariables>>

export const clientsOf = (value: Values) => ({
  /** The header in which a trusted proxy sends the client's address, in lower case. */
  clientAddressHeader: value.CLIENT_ADDRESS_HEADER ?? null,
  /** Simultaneous connections of one address; 0 is no limit. */
  maxConnectionsPerAddress: value.MAX_CONNECTIONS_PER_ADDRESS,
  /** The header in which a trusted proxy sends the buyer's country, in lower case. */
  geoHeader: value.GEO_HEADER ?? null,
  geoDatabase: value.GEO_DATABASE ?? null,
})
