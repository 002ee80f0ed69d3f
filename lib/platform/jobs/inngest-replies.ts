import { readText } from '../outbound/read-text.ts'

/**
 * Inngest's library parses every response as JSON, but the server responds to a wrong key with plain text.
 * `InngestReplies` therefore reads the error from each response before the library parses the response.
 */

const mostBytes = 100_000
const mostCharacters = 120

export class InngestReplies {
  private readonly problems = new Map<'register' | 'send', string | null>()

  readonly fetch: typeof fetch = async (address, options) => {
    const asked = String(address instanceof Request ? address.url : address).includes('/fn/register')
      ? 'register'
      : 'send'
    try {
      const response = await fetch(address, options)
      const text = await readText(response, mostBytes)
      this.problems.set(asked, response.ok ? null : problemOf(asked, response.status, text))
      return new Response(text, { status: response.status, headers: response.headers })
    } catch (error) {
      this.problems.set(asked, `cannot be reached (${codeOf(error)})`)
      throw error
    }
  }

  problem(asked: 'register' | 'send'): string | null {
    return this.problems.get(asked) ?? null
  }
}

function problemOf(asked: 'register' | 'send', status: number, text: string): string {
  const said = [status, plain(text)].filter(Boolean).join(' ')
  if (status !== 401 && status !== 403) return `answers ${said}`
  return asked === 'register'
    ? `refuses INNGEST_SIGNING_KEY (${said}): set the key that the server was started with`
    : `refuses INNGEST_EVENT_KEY (${said}): set one of the keys that the server was started with`
}

function plain(text: string): string {
  const said = /"(?:error|message)"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? (/^\s*[<{[]/.test(text) ? '' : text)
  return said.replaceAll(/\s+/g, ' ').trim().slice(0, mostCharacters)
}

function codeOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: unknown }; name: string }
  return typeof cause?.code === 'string' ? cause.code : name
}
