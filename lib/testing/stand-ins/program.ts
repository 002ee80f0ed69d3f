import { parseArgs } from 'node:util'
import { anInngestServer } from '../inngest-server.ts'
import { startHmrc } from './hmrc.ts'
import { startMollie } from './mollie.ts'
import { startStripe } from './stripe.ts'
import { startVies } from './vies.ts'

interface Options {
  readonly port?: string | undefined
  readonly file?: string | undefined
}

/** Each function starts a stand-in, and returns the settings with which Billhook uses the stand-in. */
const standIns: Readonly<Record<string, (options: Options) => Promise<string>>> = {
  async mollie({ port, file = null }) {
    const { url, apiKey, accessToken } = await startMollie({ port: Number(port ?? 4010), file })
    return `MOLLIE_API_KEY=${apiKey} MOLLIE_ACCESS_TOKEN=${accessToken} MOLLIE_API_BASE=${url}`
  },
  async stripe({ port, file = null }) {
    const { url, apiKey } = await startStripe({ port: Number(port ?? 4012), file })
    return `STRIPE_API_KEY=${apiKey} STRIPE_API_BASE=${url}`
  },
  async hmrc({ port }) {
    const { url, clientId, clientSecret } = await startHmrc({ port: Number(port ?? 4013) })
    return `HMRC_API_BASE=${url} HMRC_CLIENT_ID=${clientId} HMRC_CLIENT_SECRET=${clientSecret}`
  },
  async inngest({ port }) {
    const { environment } = await anInngestServer({ callsRegistered: true, port: Number(port ?? 4014) })
    return Object.entries(environment)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')
  },
  async vies({ port }) {
    const { url } = await startVies({ port: Number(port ?? 4011) })
    return `VIES_API_BASE=${url}`
  },
}

export interface Outcome {
  /** The exit code of the process, or null if a stand-in runs until it is interrupted. */
  readonly code: number | null
  readonly out: string
  readonly error: string
}

const refused: Outcome = { code: 2, out: '', error: usage() }

/** Starts a simulated external service, to try live mode on this machine. Throws an error that is not an error of the port. */
export async function standIn(args: readonly string[]): Promise<Outcome> {
  const parsed = parse(args)
  if (!parsed) return refused
  const { positionals, values } = parsed
  if (values.help) return { code: 0, out: usage(), error: '' }
  const start = standIns[positionals[0] ?? '']
  if (!start || positionals.length > 1 || !isPort(values.port ?? '0')) return refused
  try {
    return {
      code: null,
      out: `The stand-in is ready. Start Billhook with:\n  ${await start(values)} npm start\n`,
      error: '',
    }
  } catch (error) {
    return { code: 1, out: '', error: explain(error as NodeJS.ErrnoException) }
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { port: { type: 'string' }, file: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch {
    return null
  }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
}

/**
 * Explains why the server cannot listen on the port. Another program can use the port, or the user may not listen on
 * it.
 */
function explain(error: NodeJS.ErrnoException & { port?: number }): string {
  if (error.syscall !== 'listen') throw error
  return `The port ${error.port} cannot be used (${error.code}). Choose another port with --port.\n`
}

function usage(): string {
  return [
    'usage: npm run stand-in -- NAME [--port N] [--file FILE]',
    '',
    `  NAME         one of ${Object.keys(standIns).join(', ')}`,
    '  --port N     the port on which the stand-in listens',
    '  --file FILE  stores the state of mollie or stripe in this file, so that a restart keeps the payments',
    '',
  ].join('\n')
}
