import { mostBytes, type ReceiverOptions, receive } from './receive.ts'

export type { ReceiverOptions } from './receive.ts'

export interface FastifyReceiverOptions extends ReceiverOptions {
  path: string
}

type ParserDone = (error: Error | null, body?: unknown) => void

interface Instance {
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    // biome-ignore lint/suspicious/noExplicitAny: the request has a type of Fastify
    parser: (request: any, body: Uint8Array<ArrayBuffer>, done: ParserDone) => void,
  ): unknown
  // biome-ignore lint/suspicious/noExplicitAny: the handler gets types of Fastify
  post(path: string, handler: (request: any, reply: any) => Promise<unknown>): unknown
}

/**
 * A Fastify plugin: `app.register(receiveWebhooks({ path: '/webhooks', secret, onEvent }))`.
 * Its raw body parser applies only inside the plugin, so other routes keep their JSON parser.
 */
export function receiveWebhooks(
  options: FastifyReceiverOptions,
  // biome-ignore lint/suspicious/noExplicitAny: the instance of Fastify, whose types differ by its server
): (instance: any) => Promise<void> {
  return async (instance: Instance) => {
    const raw = { parseAs: 'buffer', bodyLimit: mostBytes } as const
    instance.addContentTypeParser('application/json', raw, (_request, body, done) => done(null, body))
    instance.post(options.path, async (request, reply) => {
      const header = request.headers['service-signature']
      const { status, message } = await receive(request.body, header, options)
      return reply.code(status).send(message || undefined)
    })
  }
}
