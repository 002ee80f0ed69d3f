import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, it, vi } from 'vitest'
import { apiDocument } from './document.ts'

vi.setConfig({ testTimeout: 600_000 }) // The timeout is long, because Spectral takes a minute on a busy machine.

const contact = { name: 'Lumen B.V.', email: 'help@lumen.example' }
const source = JSON.stringify(apiDocument({ baseUrl: 'https://pay.lumen.example', contact }), null, 1)

it('the recommended rules of Redocly find no problem in the OpenAPI document', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

it('the ruleset oas of Spectral finds no problem in the OpenAPI document', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset(rulesets.oas as spectral.RulesetDefinition)
  const problems = await linter.run(source)
  expect(problems.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([])
})
