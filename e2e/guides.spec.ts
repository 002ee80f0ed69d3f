import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { bundle } from '../packages/cli/scripts/build.mjs'
import { type CodeBlock, codeBlocksOf, stepsOf } from '../scripts/docs/code-blocks.ts'
import { MerchantServer } from './receiver.ts'
import type { Shop } from './shop.ts'
import { payByRequest } from './subscription.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

/** The HTML comments `test:` in a guide state what the reader does between two commands, or which result the command before the comment must have. */

const guides = ['docs/start', 'docs/merchants', 'docs/contract'].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`),
)
const isShell = (block: CodeBlock) => block.language === 'sh' && block.skip === null
const hasTools = spawnSync('jq', ['--version']).status === 0

const apiCommand = codeBlocksOf(readFileSync('docs/start/quickstart.md', 'utf8')).find(({ text }) =>
  text.startsWith('api()'),
)

const receiverSecret = 'whsec_choose_your_own'
const billhookCommand = `billhook() { node '${path.resolve('e2e/fixtures/billhook.mjs')}' "$@"; }`

test.beforeAll(() => bundle())

/** A shell whose variables and functions persist between runs. */
class Shell {
  private state = ''
  private readonly home = mkdtempSync(path.join(os.tmpdir(), 'billhook-guide-'))
  private readonly background: ChildProcess[] = []

  constructor(private readonly translate: (command: string) => string) {}

  private start(lines: readonly string[]) {
    const env = { ...process.env, XDG_CONFIG_HOME: this.home, WEBHOOK_SECRET: receiverSecret }
    const shell = spawn('bash', ['-euo', 'pipefail'], { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env })
    shell.stdin.end([billhookCommand, this.state, ...lines].join('\n'))
    return shell
  }

  async leaveRunning(command: string): Promise<void> {
    const shell = this.start([this.translate(command)])
    this.background.push(shell)
    const errors = text(shell.stderr)
    await new Promise<void>((resolve, reject) => {
      shell.stdout.once('data', () => resolve())
      shell.once('close', () => errors.then((said) => reject(new Error(`${command}: ${said}`))))
    })
  }

  close(): void {
    for (const { pid } of this.background) if (pid !== undefined) process.kill(-pid)
    rmSync(this.home, { recursive: true, force: true })
  }

  /** Returns the output. The webhook receiver keeps responding during the command. */
  async run(command: string): Promise<string> {
    const mark = '--- state ---'
    const shell = this.start(['set -a', this.translate(command), `echo "${mark}"`, 'export -p', 'declare -f'])
    const [output, errors, code] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      new Promise((resolve) => shell.on('close', resolve)),
    ])
    expect(code, `${command}\n${output.split(mark)[0]}${errors}`).toBe(0)
    const [printed = '', state = ''] = output.split(`${mark}\n`)
    this.state = state
    return printed
  }

  value(name: string): Promise<string> {
    return this.run(`printf '%s' "$${name}"`)
  }
}

async function pay(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await fillBuyer(page)
  await payButton(page).click()
  const shop = page.waitForRequest(/^https:\/\/(?:shop\.)?example(?:\.com)?\//)
  await choose(page, 'paid')
  await shop
}

async function sellSubscription({ api }: Shop, quantity: number): Promise<string> {
  const price = { value: '10.00', currency: 'EUR' }
  const terms = { productType: 'saas', interval: 'month', intervalCount: 1 }
  const plan = await api('POST', '/subscription-plans', {
    name: 'Team',
    description: 'A seat',
    basePrice: price,
    ...terms,
  })
  const checkout = await api('POST', '/checkouts', {
    products: [{ id: plan.id, quantity }],
    redirectUrlSuccess: 'https://shop.example/thanks',
    redirectUrlCanceled: 'https://shop.example/pricing',
  })
  await payByRequest(checkout.links.checkoutUrl.href, 'https://shop.example/thanks')
  const { customerId } = await api('GET', `/checkouts/${checkout.id}`)
  return (await api('GET', `/customers/${customerId}/subscriptions`)).data[0].id
}

/** Returns commands that set shell variables and define a `curl` that fails on error responses. */
async function variables(shop: Shop): Promise<string> {
  const id = await sellSubscription(shop, 3)
  const { customerId, subscriptionPlanId } = await shop.api('GET', `/subscriptions/${id}`)
  const link = { name: 'Pricing page', items: [{ id: subscriptionPlanId }] }
  const { id: linkId } = await shop.api('POST', '/payment-links', link)
  return [
    `SUBSCRIPTION=${id} CUSTOMER=${customerId} PLAN=${subscriptionPlanId} PAYMENT_LINK=${linkId}`,
    'curl() { command curl -sS --fail-with-body "$@"; }',
  ].join('\n')
}

for (const file of guides) {
  const steps = stepsOf(readFileSync(file, 'utf8'))
  if (!steps.some((step) => step.kind === 'code' && isShell(step))) continue

  test(`the commands of ${file} succeed if they run in order`, async ({ page, shop, baseURL }) => {
    test.skip(!hasTools, 'jq is not installed')
    const receiver = new MerchantServer(receiverSecret)
    const receiverUrl = await receiver.start()
    const shell = new Shell((command) =>
      command
        .replaceAll('http://localhost:3000', baseURL ?? '')
        .replaceAll('test_...', shop.testKey)
        .replaceAll('localhost:4000', new URL(receiverUrl).host),
    )
    const known = `BILLHOOK=${baseURL} KEY=${shop.testKey} STOREFRONT=${shop.storefrontId}`
    if (!file.endsWith('quickstart.md')) await shell.run(`${known}\n${apiCommand?.text}`)
    await page.route(/^https:\/\/(?:shop\.)?example(?:\.com)?\//, (route) => route.fulfill({ body: 'The shop' }))
    if (file.startsWith('docs/contract/')) await shell.run(await variables(shop))

    let printed = ''
    for (const step of steps) {
      if (step.kind === 'code') {
        if (isShell(step) && step.isBackground) await shell.leaveRunning(step.text)
        else if (isShell(step)) printed = await shell.run(step.text)
      } else if (step.action === 'printed') expect(printed).toContain(step.argument)
      else if (step.action === 'pay')
        await pay(page, JSON.parse(await shell.value(step.argument)).links.checkoutUrl.href)
      else if (step.action === 'received')
        await expect.poll(() => receiver.received.map(({ eventName }) => eventName)).toContain(step.argument)
      else if (step.action === 'subscription') {
        const [name = '', quantity = '1'] = step.argument.split(' ')
        await shell.run(`${name}=${await sellSubscription(shop, Number(quantity))}`)
      } else throw new Error(`${file}: there is no instruction "${step.action}"`)
    }
    shell.close()
    await receiver.stop()
  })
}
