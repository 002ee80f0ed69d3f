import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** This file limits each process to a small part of a core, so that several processes behave like separate machines. */

const groups = '/sys/fs/cgroup/cpu'
// The period in microseconds, which is the default of Linux. In each period, Linux stops a process that has used its
// share. With shorter periods, Linux would stop a process before the caches of the processor are warm.
const periodUs = 100_000

/** The limits require write access to control groups of version 1. On Linux, root has this access. */
export function canLimit(): boolean {
  try {
    const probe = path.join(groups, 'billhook-bench-probe')
    mkdirSync(probe)
    rmdirSync(probe)
    return true
  } catch {
    return false
  }
}

/**
 * Limits a process, and each of its descendants separately, to a share of a core (0.1 is a tenth). Returns a function that
 * removes the limits.
 */
export function limit(pid: number, share: number): () => void {
  const made = familyOf(pid).map((each) => {
    const group = path.join(groups, `billhook-bench-${each}`)
    mkdirSync(group)
    writeFileSync(path.join(group, 'cpu.cfs_period_us'), String(periodUs))
    writeFileSync(path.join(group, 'cpu.cfs_quota_us'), String(Math.round(periodUs * share)))
    writeFileSync(path.join(group, 'cgroup.procs'), String(each))
    return group
  })
  return () => {
    for (const group of made) {
      // A control group can be removed only when it is empty, so remaining processes move to the parent group.
      const left = readFileSync(path.join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
      for (const each of left) writeFileSync(path.join(groups, 'cgroup.procs'), each)
      rmdirSync(group)
    }
  }
}

/** Processor seconds of a process and its descendants (Linux only). */
export const cpuOf = (pid: number): number =>
  familyOf(pid).reduce((all, each) => {
    // The process name may contain spaces, so fields are counted after the name. Fields 12 and 13 are utime and stime, in hundredths of a second.
    const fields = readFileSync(`/proc/${each}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return all + (Number(fields[11]) + Number(fields[12])) / 100
  }, 0)

function familyOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return []
  const children = readdirSync(tasks).flatMap((task) =>
    readFileSync(path.join(tasks, task, 'children'), 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
  return [pid, ...children.flatMap(familyOf)]
}
