'use client'

import { usePathname } from 'next/navigation'

const modes = ['test', 'live'] as const
type Mode = (typeof modes)[number]

const isId = /^[a-z_]+_[0-9A-Za-z]{22}$/

interface Place {
  readonly storefront: string
  /** The paths below `storefront` that exist only in test mode. */
  readonly testOnly: readonly string[]
}

/**
 * The path of the same page in `mode`. An object exists in one mode only, so the path of an object becomes the path of its list. The path
 * of a page that exists only in test mode becomes the path of the storefront's home page in live mode.
 */
export function pathInMode(path: string, { storefront, testOnly }: Place, mode: Mode): string {
  const below = path.startsWith(`${storefront}/`) ? path.slice(storefront.length + 1).split('/') : []
  const shared = below.findIndex((segment) => isId.test(segment))
  const kept = shared === -1 ? below : below.slice(0, shared)
  const isLacking = mode === 'live' && testOnly.includes(kept[0] ?? '')
  return [storefront.replace(/^\/admin\/(?:test|live)\//, `/admin/${mode}/`), ...(isLacking ? [] : kept)].join('/')
}

interface ModeSwitchProps extends Place {
  mode: Mode
  label: string
  names: Readonly<Record<Mode, string>>
}

export function ModeSwitch({ storefront, testOnly, mode, label, names }: ModeSwitchProps) {
  const path = usePathname()
  return (
    <nav
      aria-label={label}
      className="flex shrink-0 whitespace-nowrap rounded-full border border-line bg-ground p-0.5 text-note"
    >
      {modes.map((each) => (
        <a
          aria-current={each === mode ? 'true' : undefined}
          className={`inline-flex min-h-7 items-center rounded-full px-2 no-underline wide:px-3 ${
            each === mode ? `font-semibold ${marks[each]}` : 'text-soft hover:text-ink'
          }`}
          href={pathInMode(path, { storefront, testOnly }, each)}
          key={each}
        >
          {names[each]}
        </a>
      ))}
    </nav>
  )
}

const marks = { test: 'bg-warn-tint text-warn', live: 'bg-done text-on-accent' } as const
