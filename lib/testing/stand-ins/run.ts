import { parseArgs } from 'node:util'
import { startMollie } from './mollie.ts'

/**
 * Runs a stand-in for a service outside until it is interrupted, for trying live mode on this machine. Its books are kept
 * in a file, so that it can be stopped and started.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '4010' }, file: { type: 'string' } },
})
const [service] = positionals
if (service !== 'mollie' || !/^\d{1,5}$/.test(values.port)) {
  console.error('usage: npm run stand-in -- mollie [--port 4010] [--file .data/mollie.json]')
  process.exit(2)
}
const { url, apiKey } = await startMollie({ port: Number(values.port), file: values.file ?? null })
console.log(`Mollie's stand-in is ready at ${url}. Start Billhook with:
  MOLLIE_API_KEY=${apiKey} MOLLIE_API_BASE=${url} npm start`)
