import { type ReceiverOptions, receiveWebhooks as web } from './web.ts'

export type { ReceiverOptions } from './receive.ts'

/** A Hono handler: `app.post('/webhooks', receiveWebhooks({ secret, onEvent }))`. */
export function receiveWebhooks(options: ReceiverOptions): (context: { req: { raw: Request } }) => Promise<Response> {
  const receive = web(options)
  return (context) => receive(context.req.raw)
}
