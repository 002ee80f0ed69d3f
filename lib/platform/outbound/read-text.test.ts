import { expect, it } from 'vitest'
import { readText } from './read-text.ts'

it('readText reads a body up to the limit and throws for a larger body', async () => {
  expect(await readText(new Response('grün'), 5)).toBe('grün')
  expect(await readText(new Response(null), 0)).toBe('')
  await expect(readText(new Response('grün'), 4)).rejects.toThrow('larger than 4 bytes')
})
