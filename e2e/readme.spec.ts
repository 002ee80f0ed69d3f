import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

const [, tour = ''] = readFileSync('README.md', 'utf8').split('## A tour of five commands\n')
const commands = [...(tour.split('\n## ')[0] ?? '').matchAll(/^ {3}```sh\n(.*?)^ {3}```$/gms)].map(
  ([, command]) => command,
)

test('the five commands of the README create a checkout and renew its subscription a month later', async ({
  page,
  baseURL,
}) => {
  expect(commands).toHaveLength(5)
  const data = path.resolve(process.env.BILLHOOK_DATA ?? '.data', 'demo.json')
  const run = (...lines: (string | undefined)[]) =>
    execFileSync('bash', ['-euo', 'pipefail'], {
      input: lines
        .join('\n')
        .replaceAll('http://localhost:3000', baseURL ?? '')
        .replaceAll('./.data/demo.json', data),
      encoding: 'utf8',
    })
  const [setUp, plan, checkout, advance, list] = commands
  const [address = ''] = run(setUp, plan, checkout).trim().split('\n')
  expect(address).toMatch(/\/checkout\//)

  await page.goto(address)
  await fillBuyer(page)
  await payButton(page).click()
  const shop = page.waitForRequest('https://example.com/thanks')
  await choose(page, 'paid')
  await shop

  expect(JSON.parse(run(setUp, advance))).toMatchObject({ remaining: 0 })
  // Three seats at 10.00 plus 19 % German VAT cost 35.70. The first order and the renewal a month later have this total.
  expect(run(setUp, list).match(/'35\.70'/g)?.length).toBeGreaterThanOrEqual(2)
})
