import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Records a profile, which contains function and file names but no values. Returns the path of the file, which only the
 * file's owner can read.
 */
async function recordProfile(ms: number): Promise<string> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    await wait(ms)
    const { profile } = await session.post('Profiler.stop')
    const file = path.join(os.tmpdir(), `billhook-${process.pid}-${randomUUID()}.cpuprofile`)
    await writeFile(file, JSON.stringify(profile), { mode: 0o600, flag: 'wx' })
    return file
  } finally {
    session.disconnect()
  }
}

/** Records a profile at each signal, except during a recording. Returns a function that stops listening. */
export function profileOn(
  signal: NodeJS.Signals,
  ms: number,
  report: (outcome: { readonly file: string } | { readonly error: unknown }) => void,
): () => void {
  let isRecording = false
  const record = async () => {
    if (isRecording) return
    isRecording = true
    try {
      report({ file: await recordProfile(ms) })
    } catch (error) {
      report({ error })
    } finally {
      isRecording = false
    }
  }
  process.on(signal, record)
  return () => void process.off(signal, record)
}
