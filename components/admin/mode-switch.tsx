'use client'

import { usePathname } from 'next/navigation'

const modes = ['test', 'live'] as const
type Mode = (typeof modes)[number]

/** A segment with an id. */
const isId = /^[a-z_]+_[0-9A-Za-z]{22}$/

interface Place {
  /** The path of the storefront in its present mode. */
  readonly storefront: string
  /** The pages below this path that live mode lacks. */
  readonly testOnly: readonly string[]
}

/**
 * The page in a mode that shows the same as `path`. An object belongs to one mode, so the path of an object leads to its
 * list.
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

/** Switches between test and live mode, and keeps the page. */
export function ModeSwitch({ storefront, testOnly, mode, label, names }: ModeSwitchProps) {
  const path = usePathname()
  return (
    <nav aria-label={label} className="flex rounded-full border border-line bg-ground p-0.5 text-note">
      {modes.map((each) => (
        <a
          aria-current={each === mode ? 'true' : undefined}
          className={`inline-flex min-h-7 items-center rounded-full px-3 no-underline ${
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
