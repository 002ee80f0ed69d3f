import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { main } from '../src/main.ts'
import type { Terminal } from '../src/terminal.ts'

export class User {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'billhook-cli-'))
  readonly env: Record<string, string | undefined>

  constructor(env: Record<string, string> = {}) {
    this.env = { HOME: this.home, ...env }
  }

  leave(): void {
    rmSync(this.home, { recursive: true, force: true })
  }

  /** Starts a command. `answers` are the inputs at its prompts. */
  start(line: string | readonly string[], differences: Partial<Terminal> = {}, answers: string[] = []) {
    const given = typeof line === 'string' ? line.split(' ').filter(Boolean) : line
    const stop = new AbortController()
    const written = { out: '', error: '', progress: [] as string[], asked: [] as string[] }
    const terminal: Terminal = {
      env: this.env,
      isJson: given.includes('--json'),
      hasColor: false,
      isInteractive: false,
      columns: 80,
      pollMs: 10,
      signal: stop.signal,
      out: (text) => {
        written.out += text
      },
      error: (text) => {
        written.error += text
      },
      progress: (text) => {
        if (text !== '') written.progress.push(text)
      },
      ask: async (question, { isHidden = false } = {}) => {
        written.asked.push(`${question}${isHidden ? '(hidden)' : ''}`)
        return answers.shift() ?? ''
      },
      readInput: async () => answers.shift() ?? '',
      open: async () => true,
      ...differences,
    }
    const ended = main(given, terminal)
    return { written, ended, stop: () => stop.abort() }
  }

  async run(line: string | readonly string[], differences: Partial<Terminal> = {}, answers: string[] = []) {
    const { written, ended } = this.start(line, differences, answers)
    return { code: await ended, ...written }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the shape of the output depends on the command
  async json(line: string): Promise<any> {
    const { code, out, error } = await this.run(`${line} --json`)
    if (code !== 0) throw new Error(error)
    return JSON.parse(out)
  }
}
