import type { Command } from './command.ts'
import { eventNames } from './events.ts'
import { commonFlags } from './parse.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

export const isShell = (text: string): text is Shell => (shells as readonly string[]).includes(text)

/** The completion scripts call the installed program for suggestions, so the scripts stay valid after an update of the program. */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `_billhook() {
  local IFS=$'\\n'
  COMPREPLY=($(billhook __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _billhook billhook
`,
  zsh: `_billhook() {
  local -a found
  found=("\${(@f)$(billhook __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n $found[1] ]] && compadd -- $found || _files
}
compdef _billhook billhook
`,
  fish: `function __billhook_complete
    set -l words (commandline -opc) (commandline -ct)
    billhook __complete $words[2..] 2>/dev/null
end
complete -c billhook -f -a '(__billhook_complete)'
`,
}

export function completions(words: readonly string[], commands: readonly Command[]): string[] {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  return candidates(before, commands).filter(
    (each) => each.startsWith(typed) && (typed !== '' || !each.startsWith('-')),
  )
}

function candidates(before: readonly string[], commands: readonly Command[]): string[] {
  if (before[0] === 'help') return candidates(before.slice(1), commands).filter((each) => !each.startsWith('-'))
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => before[index] === word))
  if (!command) {
    const names = commands.map(({ name }) => name.split(' '))
    const next = names
      .filter((name) => before.every((word, index) => name[index] === word))
      .map((name) => name[before.length])
    const found = [...new Set(next)].filter((word) => word !== undefined)
    return before.length === 0 ? [...found, 'help', '--version'] : found
  }
  const { flags = {}, args = [], name } = command
  const last = before.at(-1) ?? ''
  const flag = last.startsWith('--') ? flags[last.slice(2)] : undefined
  if (flag?.value) return last === '--events' ? [...eventNames] : []
  const given = before.slice(name.split(' ').length).filter((word) => !word.startsWith('-')).length
  const values = args[given]?.values ?? []
  return [...values, ...Object.keys({ ...flags, ...commonFlags }).map((each) => `--${each}`)]
}
