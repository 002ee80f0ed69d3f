import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { exitCodes, wrongUsage } from './failure.ts'
import { main } from './main.ts'
import { type Terminal, wantsColor } from './terminal.ts'

export async function start(): Promise<void> {
  const given = process.argv.slice(2)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  let isLost = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A pipe that its reader, such as `head`, closes early is not an error, because no command writes output before its
    // work is done.
    if (error.code === 'EPIPE') process.exit(exitCodes.done)
    if (!isLost) process.stderr.write(`The output cannot be written: ${error.message}.\n`)
    isLost = true
    stop.abort()
  })
  process.stderr.on('error', () => undefined)
  const code = await main(given, systemTerminal(given, stop.signal))
  // The process must exit explicitly, because open keep-alive connections would keep it running. `setImmediate` leaves
  // time for the error of a failed write, which is emitted after the callback.
  process.stdout.write('', () => setImmediate(() => process.exit(isLost ? exitCodes.failed : code)))
}

function systemTerminal(given: readonly string[], signal: AbortSignal): Terminal {
  const { env, stdin, stdout, stderr } = process
  const isJson = given.includes('--json')
  const showsProgress = !isJson && stderr.isTTY === true
  return {
    env,
    isJson,
    signal,
    hasColor: wantsColor(env, stdout.isTTY === true, given.includes('--no-color')) && !isJson,
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    columns: stdout.columns ?? 80,
    pollMs: 1_000,
    out: (written) => void stdout.write(written),
    error: (written) => void stderr.write(written),
    progress: (written) => {
      if (showsProgress) stderr.write(`\r\u001b[K${written.slice(0, (stderr.columns ?? 80) - 1)}`)
    },
    ask: (question, { isHidden = false } = {}) => ask(question, isHidden, signal),
    readInput: () => text(stdin),
    open: openInBrowser,
  }
}

async function ask(question: string, isHidden: boolean, signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY !== true) throw wrongUsage('The command needs input, and standard input is not a terminal.')
  let isSilent = false
  const output = new Writable({
    write: (chunk, _, done) => {
      if (!isSilent) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // With `terminal: true`, Ctrl-C arrives as a key instead of a signal, so this listener sends the signal.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const answer = lines.question(question, { signal })
    isSilent = isHidden
    return (await answer).trim()
  } finally {
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}

/** Resolves with false if no program can open the URL. */
function openInBrowser(url: string): Promise<boolean> {
  const [program = '', ...before] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : [process.env.BROWSER || 'xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...before, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
