import { notRouted } from '../platform/http/keyless.ts'
import { type Listener, listen } from '../server/listen.ts'
import { routes } from './api.ts'

/** Serves the routes of the API, but no pages, for programs that call the service over the network. Uses a free port by default. */
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
