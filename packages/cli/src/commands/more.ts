import { command } from '../command.ts'
import { isShell, scripts, shells } from '../completion.ts'
import { CommandFailure, wrongUsage } from '../failure.ts'
import { requireLogin } from '../login.ts'
import type { Terminal } from '../terminal.ts'

const pages = ['admin', 'docs', 'portal'] as const

const open = command({
  name: 'open',
  group: 'More',
  summary: 'Print the address of a page, and open it',
  args: [{ name: 'PAGE', help: 'the page (admin)', isOptional: true, values: pages }],
  flags: {
    customer: { value: 'ID', help: 'the customer whose portal opens (the newest one with a paid order)' },
    print: { help: 'print the address only' },
  },
  details: ['The portal opens with a link that works once, for 15 minutes.'],
  examples: ['billhook open', 'billhook open portal --customer customer_P4ur2GNl80NHXh6ea5XxqA'],
  async run({ args: [typed = 'admin'], flags, terminal }) {
    const page = pages.find((each) => each === typed)
    if (!page) throw wrongUsage(`There is no page "${typed}".`, `Write one of: ${pages.join(', ')}`)
    const customer = typeof flags.customer === 'string' ? flags.customer : undefined
    if (customer && page !== 'portal')
      throw wrongUsage('The flag --customer belongs to portal.', 'billhook open portal --customer ID')
    const url = page === 'portal' ? await portalUrl(terminal, customer) : `${requireLogin(terminal).url}/${page}`
    const isOpened = terminal.isInteractive && !terminal.isJson && !flags.print ? await terminal.open(url) : false
    return { page, url, isOpened }
  },
  show: ({ url }) => `${url}\n`,
})

async function portalUrl(terminal: Terminal, customer: string | undefined): Promise<string> {
  const { billhook } = requireLogin(terminal)
  const id = customer ?? (await billhook.listOrders({ status: 'paid', limit: 1 })).data[0]?.customerId
  if (!id)
    throw new CommandFailure('No customer has a paid order, so no portal can open.', {
      code: 'no_customer',
      next: 'Make one: billhook trigger order.paid',
    })
  return (await billhook.createPortalSession(id)).url
}

const completion = command({
  name: 'completion',
  group: 'More',
  summary: 'Print the script that completes commands in a shell',
  args: [{ name: 'SHELL', help: 'the shell', values: shells }],
  details: ['Add the line of the examples to the start file of your shell.'],
  examples: [
    'source <(billhook completion bash)     # in ~/.bashrc',
    'source <(billhook completion zsh)      # in ~/.zshrc, after compinit',
    'billhook completion fish | source      # in ~/.config/fish/config.fish',
  ],
  async run({ args: [shell = ''], terminal }) {
    if (!isShell(shell)) throw wrongUsage(`There is no shell "${shell}" here.`, `Write one of: ${shells.join(', ')}`)
    if (terminal.isJson) return { shell, script: scripts[shell] }
    terminal.out(scripts[shell])
    return undefined
  },
})

export const moreCommands = [open, completion]
