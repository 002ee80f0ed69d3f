import { command } from '../command.ts'
import { isShell, scripts, shells } from '../completion.ts'
import { CommandFailure, wrongUsage } from '../failure.ts'
import { requireLogin } from '../login.ts'
import type { Terminal } from '../terminal.ts'

const pages = ['admin', 'docs', 'portal'] as const

const open = command({
  name: 'open',
  group: 'More',
  summary: 'Print the address of a page, and open the page in a browser',
  args: [{ name: 'PAGE', help: 'the page (default: admin)', isOptional: true, values: pages }],
  flags: {
    customer: { value: 'ID', help: 'the customer whose portal opens (default: the newest customer with a paid order)' },
    print: { help: 'print the address only' },
  },
  details: ['The portal opens with a link that works once, for 15 minutes.'],
  examples: ['billhook open', 'billhook open portal --customer customer_P4ur2GNl80NHXh6ea5XxqA'],
  async run({ args: [typed = 'admin'], flags, terminal }) {
    const page = pages.find((each) => each === typed)
    if (!page) throw wrongUsage(`There is no page "${typed}".`, `Use one of: ${pages.join(', ')}`)
    const customer = typeof flags.customer === 'string' ? flags.customer : undefined
    if (customer && page !== 'portal')
      throw wrongUsage('The flag --customer works only with the page portal.', 'billhook open portal --customer ID')
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
    throw new CommandFailure('No customer has a paid order, so no portal is available.', {
      code: 'no_customer',
      next: 'Create a paid order: billhook trigger order.paid',
    })
  return (await billhook.createPortalSession(id)).url
}

const completion = command({
  name: 'completion',
  group: 'More',
  summary: 'Print a completion script for a shell',
  args: [{ name: 'SHELL', help: 'the shell', values: shells }],
  details: ['Add the line for your shell from the examples to the startup file of the shell.'],
  examples: [
    'source <(billhook completion bash)     # in ~/.bashrc',
    'source <(billhook completion zsh)      # in ~/.zshrc, after compinit',
    'billhook completion fish | source      # in ~/.config/fish/config.fish',
  ],
  async run({ args: [shell = ''], terminal }) {
    if (!isShell(shell)) throw wrongUsage(`The shell "${shell}" is not supported.`, `Use one of: ${shells.join(', ')}`)
    if (terminal.isJson) return { shell, script: scripts[shell] }
    terminal.out(scripts[shell])
    return undefined
  },
})

export const moreCommands = [open, completion]
