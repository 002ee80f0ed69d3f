import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('docs/guides/live-payments.md explains each difference between the books of a provider and the books of Billhook', () => {
  const { kinds } = JSON.parse(readFileSync('messages/admin/en.json', 'utf8')).work.reconciliations
  const [, table = ''] = readFileSync('docs/guides/live-payments.md', 'utf8').split('\n### Differences\n')
  const explained = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
  expect(explained.toSorted()).toEqual(Object.keys(kinds).toSorted())
})
