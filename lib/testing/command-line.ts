import { expect } from 'vitest'
import { main } from '../cli/main.ts'

export const cli = (line: string) => cliOf(line.split(' '))

/** Runs a command whose words may contain spaces. */
export async function cliOf(words: readonly string[]) {
  const written = { stdout: '', stderr: '' }
  const append = (stream: keyof typeof written) => (text: string) => {
    written[stream] += text
  }
  const streams = { out: append('stdout'), error: append('stderr') }
  const status = await main([...words], async () => async () => {}, streams)
  return { status, ...written }
}

/** Runs a command and returns the JSON that it prints. `progress` is the expected text on stderr. */
export async function answer(line: string, progress = '') {
  const { status, stdout, stderr } = await cli(line)
  expect({ status, stderr }).toEqual({ status: 0, stderr: progress })
  return JSON.parse(stdout)
}

export const isRefused = (line: string) => fails(line, 1)

/**
 * Asserts that the command exits with code 2, because something outside the command, such as the database or a payment
 * provider, prevents it.
 */
export const isPrevented = (line: string) => fails(line, 2)

async function fails(line: string, exitCode: 1 | 2): Promise<{ code: string; message: string }> {
  expect(await cli(line)).toEqual({ status: exitCode, stdout: '', stderr: expect.stringMatching(/^[^\n]+\.\n$/) })
  const { status, stdout, stderr } = await cli(`${line} --json`)
  expect({ status, stdout }).toEqual({ status: exitCode, stdout: '' })
  const failure = JSON.parse(stderr)
  expect(failure).toEqual({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) })
  return failure
}
