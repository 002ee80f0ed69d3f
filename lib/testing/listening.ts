import { notRouted } from '../platform/http/keyless.ts'
import { type Listener, listen } from '../server/listen.ts'
import { routes } from './api.ts'

/** The routes of the API on a free port or on this one, for programs that call the service over the network. Has no pages. */
export const listening = (port = 0): Promise<Listener> =>
  listen({
    port,
    clientAddressHeader: null,
    baseUrl: 'http://billhook.test',
    routes,
    notRouted,
    pages: async (_, response) => {
      response.end()
    },
    report: () => undefined,
  })
