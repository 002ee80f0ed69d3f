import { parseArgs } from 'node:util'
import { anInngestServer } from '../inngest-server.ts'
import { startHmrc } from './hmrc.ts'
import { startMollie } from './mollie.ts'
import { startStripe } from './stripe.ts'
import { startVies } from './vies.ts'

/** Runs a stand-in for an outside service until it is interrupted, to try live mode on this machine. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, file: { type: 'string' } },
})

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
    const { environment } = await anInngestServer({ callsRegistered: true })
    return Object.entries(environment)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')
  },
  async vies() {
    const { url } = await startVies({ port: Number(values.port ?? 4011) })
    return `VIES_API_BASE=${url}`
  },
}

const start = standIns[positionals[0] ?? '']
if (!start || !/^\d{1,5}$/.test(values.port ?? '0')) {
  console.error(`usage: npm run stand-in -- ${Object.keys(standIns).join('|')} [--port N] [--file FILE]`)
  process.exit(2)
}
console.log(`The stand-in is ready. Start Billhook with:\n  ${await start()} npm start`)
