import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * A mistake in a request to a simulated server, such as an unknown id. The response states the mistake, so that a
 * typing error does not end the process. Every other error is a bug in the simulated server.
 */
export class MistakeInRequest extends Error {}

export async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses a JSON object. An empty body is an empty object. Throws MistakeInRequest for any other body. */
// biome-ignore lint/suspicious/noExplicitAny: a request may have any body
export function objectIn(body: string): any {
  const given = body === '' ? {} : parsed(body)
  if (typeof given !== 'object' || given === null) throw new MistakeInRequest('The body is not a JSON object.')
  return given
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new MistakeInRequest((error as SyntaxError).message)
  }
}

/**
 * Closes the connection if `work` fails, and rethrows the error unless the client closed the connection. The error then
 * fails the test run, or ends the process of the simulated server with a stack trace.
 */
export async function orClosed(response: ServerResponse, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    response.destroy()
    // ECONNRESET means that the client closed the connection while it sent the body.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}
