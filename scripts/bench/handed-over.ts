import { spawn } from 'node:child_process'
import path from 'node:path'
import { type Bench, withService } from './context.ts'
import { median } from './figures.ts'
import { startAnother } from './installation.ts'
import { renewalsPerSecond } from './renewals.ts'

/** This file compares renewal tasks that the worker runs itself with renewal tasks that an Inngest server triggers. */

/** Renewals per second. */
export type HandedOver = Readonly<Record<'embedded' | 'byServer', number>>

/** @param first the first number of the copied subscriptions */
export async function measureHandedOver(
  bench: Bench,
  { rounds, due, first }: { rounds: number; due: number; first: number },
): Promise<HandedOver> {
  const { installation, environment, keep, say } = bench
  const server = await startStandIn(keep)
  let next = first
  const renewals = async (bench: Bench) => {
    const rates: number[] = []
    for (let round = 0; round <= rounds; round++, next += due)
      rates.push(await renewalsPerSecond(bench, { first: next, due }))
    return median(rates.slice(1))
  }
  say('Measuring renewals that the process runs')
  const embedded = await renewals(bench)
  await installation.service.stop()
  say('Measuring renewals that an Inngest server starts')
  const another = await startAnother(keep, installation, { ...environment, ...server })
  return { embedded, byServer: await renewals(withService(bench, another)) }
}

/**
 * Starts a program that simulates an Inngest server. Returns the environment variables that connect a service to the
 * program.
 */
async function startStandIn(keep: Bench['keep']): Promise<Record<string, string>> {
  const root = path.resolve(import.meta.dirname, '../..')
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/testing/stand-ins/run.ts', 'inngest'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  keep({
    stop: async () => {
      child.kill()
      await ended
    },
  })
  const said = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (more) => {
      text += more
      if (/ npm start\n/.test(text)) resolve(text)
    })
    ended.then(() => reject(new Error('The stand-in did not start; the reason is above.')))
  })
  return Object.fromEntries([...said.matchAll(/\b(INNGEST_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))
}

const target = 0.6

export const handedOverTable = ({ embedded, byServer }: HandedOver): string =>
  [
    '| renewals | per second | ratio | target |',
    '|---|--:|--:|--:|',
    `| run by the process itself | ${Math.round(embedded).toLocaleString('en')} | 1 | |`,
    `| handed over to an Inngest server | ${Math.round(byServer).toLocaleString('en')} | ${(byServer / embedded).toFixed(2)} | ${target} |`,
  ].join('\n')

export const handedOverNotes = `- **Inngest server**: the stand-in of the tests (\`npm run stand-in -- inngest\`) runs in a separate process on the same cores. The stand-in
  uses Inngest's protocol, and stores nothing. A real Inngest server was not measured.
- **Renewals** are measured as in the table "work of one process".
`
