'use client'

import { usePathname } from 'next/navigation'

const modes = ['test', 'live'] as const
type Mode = (typeof modes)[number]

/** A segment with an id: an object belongs to one mode, and has no page in the other one. */
const isId = /^[a-z_]+_[0-9A-Za-z]{22}$/

/** The page in the other mode that shows the same as `path`: the same list, where `path` is one of its objects. */
export function pathInMode(path: string, storefront: string, mode: Mode): string {
  const below = path.startsWith(`${storefront}/`) ? path.slice(storefront.length + 1).split('/') : []
  const shared = below.findIndex((segment) => isId.test(segment))
  const kept = shared === -1 ? below : below.slice(0, shared)
  const isTestOnly = mode === 'live' && kept[0] === 'clock'
  return [storefront.replace(/^\/admin\/(?:test|live)\//, `/admin/${mode}/`), ...(isTestOnly ? [] : kept)].join('/')
}

interface ModeSwitchProps {
  /** The path of the storefront in its present mode. */
  storefront: string
  mode: Mode
  label: string
  names: Readonly<Record<Mode, string>>
}

/** Switches between test and live mode, and keeps the page. */
export function ModeSwitch({ storefront, mode, label, names }: ModeSwitchProps) {
  const path = usePathname()
  return (
    <nav aria-label={label} className="flex rounded-full border border-line bg-ground p-0.5 text-note">
      {modes.map((each) => (
        <a
          aria-current={each === mode ? 'true' : undefined}
          className={`inline-flex min-h-7 items-center rounded-full px-3 no-underline ${
            each === mode ? `font-semibold ${marks[each]}` : 'text-soft hover:text-ink'
          }`}
          href={pathInMode(path, storefront, each)}
          key={each}
        >
          {names[each]}
        </a>
      ))}
    </nav>
  )
}

const marks = { test: 'bg-warn-tint text-warn', live: 'bg-done text-on-accent' } as const
