'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { Icon, type IconName } from '@/components/ui/icon.tsx'

export interface SidebarGroup {
  readonly name: string
  /** Null for a group without a heading. */
  readonly heading: string | null
  readonly links: readonly SidebarLink[]
}

interface SidebarLink {
  readonly href: string
  readonly tabs: readonly string[]
  readonly text: string
  readonly icon: IconName
  readonly count: number
  /** The count with its unit, for screen readers. */
  readonly countText: string
}

/** The URL of the current link. A link matches if `path` begins with its URL or with the URL of one of its tabs. The longest match decides. */
function currentOf(groups: readonly SidebarGroup[], path: string): string | null {
  const pages = groups.flatMap(({ links }) =>
    links.flatMap(({ href, tabs }) => [href, ...tabs].map((page) => ({ href, page }))),
  )
  const around = pages.filter(({ page }) => path === page || path.startsWith(`${page}/`))
  return around.sort((a, b) => b.page.length - a.page.length)[0]?.href ?? null
}

interface Props {
  label: string
  groups: readonly SidebarGroup[]
  /** The initial state from a cookie, so that the page does not shift after it loads. */
  isCollapsed: boolean
  texts: Readonly<Record<'collapse' | 'expand', string>>
  children: ReactNode
}

export function Sidebar({ label, groups, isCollapsed: wasCollapsed, texts, children }: Props) {
  const [isCollapsed, setCollapsed] = useState(wasCollapsed)
  const current = currentOf(groups, usePathname())
  return (
    <nav
      aria-label={label}
      className={`fixed inset-y-0 start-0 m-0 h-dvh max-h-none w-72 overflow-y-auto border-line border-e bg-paper p-3 text-ink wide:sticky wide:top-14 wide:z-0 wide:block wide:h-[calc(100dvh-3.5rem)] ${isCollapsed ? 'wide:w-16' : 'wide:w-60'}`}
      data-icons={isCollapsed || undefined}
      id="menu"
      popover="auto"
    >
      {groups.map(({ name, heading, links }) => (
        <div className="sidebar" key={name}>
          {heading && <p id={`nav-${name}`}>{heading}</p>}
          <ul aria-labelledby={heading ? `nav-${name}` : undefined}>
            {links.map(({ href, text, icon, count, countText }) => (
              <li key={href}>
                <a
                  aria-current={href === current ? 'page' : undefined}
                  href={href}
                  title={isCollapsed ? text : undefined}
                >
                  <Icon name={icon} />
                  <span>{text}</span>
                  {count > 0 && (
                    <span className="count" title={countText}>
                      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
                      <span className="sr-only">{countText}</span>
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="sidebar border-line border-t pt-3 max-wide:hidden">
        <Toggle isCollapsed={isCollapsed} onToggle={() => setCollapsed(!isCollapsed)} texts={texts} />
      </div>
      {children}
    </nav>
  )
}

/** Collapses or expands the sidebar. Without JavaScript, the link reloads the page, and its URL contains the new state. */
function Toggle({ isCollapsed, onToggle, texts }: Pick<Props, 'isCollapsed' | 'texts'> & { onToggle: () => void }) {
  const path = usePathname()
  const parameters = new URLSearchParams(useSearchParams())
  parameters.set('sidebar', isCollapsed ? 'full' : 'icons')
  const href = `${path}?${parameters}`
  const text = isCollapsed ? texts.expand : texts.collapse
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onToggle()
    // Stores the new state with a background request, whose response sets a cookie. Reloading the page instead would
    // discard values that were entered in a form.
    fetch(href, { redirect: 'manual', keepalive: true }).catch(() => location.assign(href))
  }
  return (
    <a href={href} onClick={onClick} title={isCollapsed ? text : undefined}>
      <Icon className={isCollapsed ? '-scale-x-100' : ''} name="collapse" />
      <span>{text}</span>
    </a>
  )
}
