import { z } from 'zod'
import { headerName, whole } from './config-values.ts'

/** Who a request comes from, and from where. */

export const clientVariables = {
  CLIENT_ADDRESS_HEADER: headerName('such as X-Forwarded-For').optional(),
  MAX_CONNECTIONS_PER_ADDRESS: whole('must be connections, 0 for no limit', 0, 999_999_999).default(400),
  GEO_HEADER: headerName('such as CF-IPCountry').optional(),
  GEO_DATABASE: z
    .string()
    .regex(/^\/.{1,1000}\.mmdb$/, 'must be the absolute path of a country database in the MaxMind DB format (.mmdb)')
    .optional(),
}

type Values = z.output<z.ZodObject<typeof clientVariables>>

export const clientsOf = (value: Values) => ({
  /** The header in which a trusted proxy sends the client's address, in lower case. */
  clientAddressHeader: value.CLIENT_ADDRESS_HEADER ?? null,
  /** Simultaneous connections of one address; 0 is no limit. */
  maxConnectionsPerAddress: value.MAX_CONNECTIONS_PER_ADDRESS,
  /** The header in which a trusted proxy sends the buyer's country, in lower case. */
  geoHeader: value.GEO_HEADER ?? null,
  /** The file of an offline database of addresses and their countries. */
  geoDatabase: value.GEO_DATABASE ?? null,
})
