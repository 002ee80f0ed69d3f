import { expect } from 'vitest'
import { main } from '../cli/main.ts'

export async function cli(line: string) {
  const written = { stdout: '', stderr: '' }
  const append = (stream: keyof typeof written) => (text: string) => {
    written[stream] += text
  }
  const streams = { out: append('stdout'), error: append('stderr') }
  const status = await main(line.split(' '), async () => async () => {}, streams)
  return { status, ...written }
}

export async function answer(line: string) {
  const { status, stdout, stderr } = await cli(line)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

export async function isRefused(line: string): Promise<{ code: string; message: string }> {
  expect(await cli(line)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+\.\n$/) })
  const { status, stdout, stderr } = await cli(`${line} --json`)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  const failure = JSON.parse(stderr)
  expect(failure).toEqual({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) })
  return failure
}
