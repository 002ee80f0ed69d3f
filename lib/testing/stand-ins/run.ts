import { parseArgs } from 'node:util'
import { anInngestServer } from '../inngest-server.ts'
import { startHmrc } from './hmrc.ts'
import { startMollie } from './mollie.ts'
import { startStripe } from './stripe.ts'
import { startVies } from './vies.ts'

const standIns: Readonly<Record<string, () => Promise<string>>> = {
  async mollie() {
    const { url, apiKey, accessToken } = await startMollie({
      port: Number(values.port ?? 4010),
      file: values.file ?? null,
    })
    return `MOLLIE_API_KEY=${apiKey} MOLLIE_ACCESS_TOKEN=${accessToken} MOLLIE_API_BASE=${url}`
  },
  async stripe() {
    const { url, apiKey } = await startStripe({ port: Number(values.port ?? 4012), file: values.file ?? null })
    return `STRIPE_API_KEY=${apiKey} STRIPE_API_BASE=${url}`
  },
  async hmrc() {
    const { url, clientId, clientSecret } = await startHmrc({ port: Number(values.port ?? 4013) })
    return `HMRC_API_BASE=${url} HMRC_CLIENT_ID=${clientId} HMRC_CLIENT_SECRET=${clientSecret}`
  },
  async inngest() {
    const { environment } = await anInngestServer({ callsRegistered: true, port: Number(values.port ?? 4014) })
    return Object.entries(environment)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')
  },
  async vies() {
    const { url } = await startVies({ port: Number(values.port ?? 4011) })
    return `VIES_API_BASE=${url}`
  },
}

/** Runs a simulated external service until it is interrupted, to try live mode on this machine. */
const { positionals, values } = parsed()
const start = standIns[positionals[0] ?? '']
if (values.help) console.log(usage())
else if (!start || positionals.length > 1 || !isPort(values.port ?? '0')) refuse()
else console.log(`The stand-in is ready. Start Billhook with:\n  ${await start().catch(explain)} npm start`)

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
}

/** Prints that the port cannot be used, and exits with code 1. Throws an error that does not come from `listen`. */
function explain(error: NodeJS.ErrnoException & { port?: number }): never {
  if (error.syscall !== 'listen') throw error
  console.error(`The port ${error.port} cannot be used (${error.code}). Choose another port with --port.`)
  process.exit(1)
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { port: { type: 'string' }, file: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch {
    return refuse()
  }
}

function refuse(): never {
  console.error(usage())
  process.exit(2)
}

function usage(): string {
  return [
    'usage: npm run stand-in -- NAME [--port N] [--file FILE]',
    '',
    `  NAME         one of ${Object.keys(standIns).join(', ')}`,
    '  --port N     the port on which the stand-in listens',
    '  --file FILE  stores the state of mollie or stripe in this file, so that a restart keeps the payments',
  ].join('\n')
}
