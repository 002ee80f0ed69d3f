import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from './load.ts'
import { inPlace, type Place } from './place.ts'
import { judge, type Outcome } from './verdict.ts'

/** PostgreSQL's disk is full. */

const disk = '512m'
const fills = 3
const fullSeconds = 10
const roomSeconds = 5
const block = Buffer.alloc(2 ** 20, 1)

/** The disk is a small file system in memory. Null where this user may not mount one. */
export async function diskFull(): Promise<Outcome | null> {
  const mounted = mkdtempSync(path.join(os.tmpdir(), 'billhook-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${disk},mode=755`, 'tmpfs', mounted]).status !== 0) {
    rmdirSync(mounted)
    console.log('disk-full was not run: it mounts a small file system, which takes root on Linux.')
    return null
  }
  const before = process.env.TMPDIR
  process.env.TMPDIR = mounted
  try {
    return await inPlace((place) => fillAgainAndAgain(place, path.join(mounted, 'filler')))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    spawnSync('umount', [mounted])
    rmdirSync(mounted)
  }
}

async function fillAgainAndAgain(place: Place, filler: string): Promise<Outcome> {
  const load = startLoad(place)
  const downtimes: number[] = []
  for (let fill = 0; fill < fills; fill++) {
    await load.untilService()
    await sleep(roomSeconds * 1000)
    for (const until = Date.now() + fullSeconds * 1000; Date.now() < until; await sleep(100)) fillUp(filler)
    rmSync(filler)
    // Without room for its log PostgreSQL ends, and is started again as by any supervisor.
    if (!place.postgresRuns()) await place.restartPostgres()
    downtimes.push(await load.untilService())
  }
  const done = `the disk of PostgreSQL full ${fills} times for ${fullSeconds} s`
  return judge(place, await load.stop(), done, downtimes)
}

function fillUp(filler: string): void {
  for (let size = block.length; size >= 512; ) {
    try {
      appendFileSync(filler, block.subarray(0, size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      size /= 2
    }
  }
}
