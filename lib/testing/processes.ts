import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import type { Move, Moved, Work, Worked } from './runner.ts'

interface End {
  readonly said: string
  readonly signal: string | null
  readonly code: number | null
  readonly complaint: string
}

/** A second process of the service on the database of the test (`lib/testing/runner.ts`). */
export interface Runner {
  move(to: Omit<Move, 'killAt'>): Promise<Moved>
  work(tx: Work): Promise<Worked>
  /**
   * Makes the process kill itself at `place`, which is a list of failpoints (see `Moved`). Throws an error if the
   * process was not killed at this place. The process has ended afterward, even if an error is thrown.
   */
  killAt(to: Omit<Move, 'killAt'>, place: string): Promise<void>
  stop(): Promise<void>
}

type Message = 'ready' | { report: Moved | Worked } | { error: string }

const root = path.resolve(import.meta.dirname, '../..')

/** Builds one file with all packages, because this file starts three times as fast as the sources. The caller removes the file. */
export async function makeProgram(): Promise<{ file: string; remove: () => void }> {
  const folder = path.join(root, `node_modules/.cache/billhook-runner-${process.pid}`)
  const file = path.join(folder, 'runner.cjs')
  await build({
    absWorkingDir: root,
    entryPoints: ['lib/testing/runner.ts'],
    outfile: file,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    external: ['@node-rs/argon2'],
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href" },
    logLevel: 'warning',
  })
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export function startRunner(program: string): Runner {
  const child = fork(program, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  let said = ''
  let complaint = ''
  child.stdout?.on('data', (text) => {
    said += text
  })
  child.stderr?.on('data', (text) => {
    complaint += text
    process.stderr.write(text)
  })
  // `close` fires after the last output.
  const ended = new Promise<End>((resolve) =>
    child.once('close', (code, signal) => resolve({ said, signal, code, complaint })),
  )
  const ready = answerOf(child, ended)
  ready.catch(() => undefined)
  const stop = async () => {
    child.kill()
    await ended
  }
  const ask = async <Report>(asked: Move | Work): Promise<Report> => {
    await ready
    const answer = answerOf(child, ended)
    child.send(asked)
    const message = await answer
    if (typeof message === 'object' && 'report' in message) return message.report as Report
    throw new Error(typeof message === 'object' ? message.error : `a runner said ${message}`)
  }
  return {
    move: (to) => ask<Moved>({ ...to, killAt: null }),
    work: (tx) => ask<Worked>(tx),
    async killAt(to, place) {
      const instead = await ask<Moved>({ ...to, killAt: place }).then(
        () => 'it survived',
        (error: unknown) => String(error),
      )
      await stop()
      const { said, signal } = await ended
      if (said !== place || signal !== 'SIGKILL') throw new Error(`not killed at ${place}: ${instead}`)
    },
    stop,
  }
}

function answerOf(child: ChildProcess, ended: Promise<End>): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Message))
    ended.then(({ signal, code, complaint }) => reject(new Error(`a runner ended: ${signal ?? code} ${complaint}`)))
  })
}
