// Causes faults that are too slow or too destructive for tests. Arguments select drills by name. The exit code is 1 if
// a write was lost or duplicated, an invariant broke, the service did not recover, or no drill passed.
import { command, UserFacingError } from '../user-facing-error.mjs'
import { backendsTerminated, postgresKilled } from './database.ts'
import { diskFull, logFull } from './full-disk.ts'
import { clockBack, processKilled, runnerAway } from './processes.ts'
import { receiverAway } from './receiver.ts'
import { leave } from './test-bed.ts'
import type { Verdict } from './verdict.ts'

/** A drill that cannot run on this machine prints the reason and returns null. */
const drills: Record<string, () => Promise<Verdict | null>> = {
  'postgres-killed': postgresKilled,
  'process-killed': processKilled,
  'backends-terminated': backendsTerminated,
  'runner-away': runnerAway,
  'receiver-away': receiverAway,
  'clock-back': clockBack,
  'disk-full': diskFull,
  'log-full': logFull,
}

async function main(): Promise<void> {
  const asked = process.argv.slice(2)
  const unknown = asked.find((name) => !drills[name])
  if (unknown) throw new UserFacingError(`There is no drill "${unknown}"; there are ${Object.keys(drills).join(', ')}.`)
  const counts = { passed: 0, failed: 0, 'not run': 0 }
  for (const [name, run] of Object.entries(drills)) {
    if (asked.length === 0 || asked.includes(name)) counts[await one(name, run)]++
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts['not run']} not run`)
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0
}

async function one(name: string, run: () => Promise<Verdict | null>): Promise<'passed' | 'failed' | 'not run'> {
  const began = performance.now()
  try {
    const outcome = await run()
    if (!outcome) return 'not run'
    const { done, wrong, figures } = outcome
    const verdict = wrong.length === 0 ? 'passed' : 'failed'
    console.log(`${verdict} ${name} (${Math.round((performance.now() - began) / 1000)} s): ${done}; ${figures}`)
    for (const each of wrong) console.log(`  ${each}`)
    return verdict
  } catch (error) {
    console.log(`failed ${name}:`, error)
    return 'failed'
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => leave().finally(() => process.exit(1)))
command(async () => {
  await main()
  process.exit()
})
