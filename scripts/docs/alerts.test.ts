import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseYaml } from '../yaml.ts'

const [{ groups }] = parseYaml(readFileSync('docs/monitoring/alerts.yml', 'utf8'))
const alerts: string[] = groups.flatMap(({ rules }: { rules: { alert: string }[] }) => rules.map(({ alert }) => alert))

it('the guide about incidents names every alert of the alert rules, and no other alert', () => {
  expect(alerts.length).toBeGreaterThan(10)
  const named = readFileSync('docs/guides/incidents.md', 'utf8').match(/(?<=`)Billhook[A-Z]\w*(?=`)/g)
  expect([...new Set(named)].sort()).toEqual(alerts.toSorted())
})
