import { spawn } from 'node:child_process'
import path from 'node:path'
import { type Bench, withService } from './context.ts'
import { median } from './figures.ts'
import { startAnother } from './installation.ts'
import { renewalsPerSecond } from './renewals.ts'

/** Measures renewals whose tasks a process runs itself, and renewals that an Inngest server triggers. */

/** Renewals per second. */
export type HandedOver = Readonly<Record<'embedded' | 'byServer', number>>

/** @param first numbers the subscriptions */
export async function measureHandedOver(
  bench: Bench,
  { rounds, due, first }: { rounds: number; due: number; first: number },
): Promise<HandedOver> {
  const { installation, environment, keep, say } = bench
  const server = await startStandIn(keep)
  let next = first
  const renewals = async (bench: Bench) => {
    const rates: number[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round++, next += due)
      rates.push(await renewalsPerSecond(bench, { first: next, due }))
    return median(rates.slice(1))
  }
  say('Measuring renewals that the process runs')
  const embedded = await renewals(bench)
  await installation.service.stop()
  say('Measuring renewals that a task server has it run')
  const another = await startAnother(keep, installation, { ...environment, ...server })
  return { embedded, byServer: await renewals(withService(bench, another)) }
}

/**
 * Starts the stand-in for an Inngest server in a separate process. Returns the variables with which a service finds it.
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
    ended.then(() => reject(new Error('The stand-in did not start; its reason is above.')))
  })
  return Object.fromEntries([...said.matchAll(/\b(INNGEST_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))
}

const target = 0.6

export const handedOverTable = ({ embedded, byServer }: HandedOver): string =>
  [
    '| renewals | a second | ratio | target |',
    '|---|--:|--:|--:|',
    `| run by the process itself | ${Math.round(embedded).toLocaleString('en')} | 1 | |`,
    `| handed over to a task server | ${Math.round(byServer).toLocaleString('en')} | ${(byServer / embedded).toFixed(2)} | ${target} |`,
  ].join('\n')

export const handedOverNotes = `- **The task server** is the stand-in of the tests (\`npm run stand-in -- inngest\`): it takes events, and requests a signed run for each, by the protocol, in a process of
  its own on the same cores. It keeps no books, as a real Inngest server does; none was at hand.
- **Renewals** as above, in one process.
`
