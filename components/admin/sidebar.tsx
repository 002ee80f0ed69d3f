'use client'

import { usePathname } from 'next/navigation'
import { Icon, type IconName } from '@/components/ui/icon.tsx'

export interface SidebarGroup {
  readonly name: string
  /** Null for a group without a heading. */
  readonly heading: string | null
  readonly links: readonly SidebarLink[]
}

interface SidebarLink {
  readonly href: string
  /** The URLs of further pages that are tabs of this page. */
  readonly tabs: readonly string[]
  readonly text: string
  readonly icon: IconName
  readonly count: number
  /** What the count counts, for screen readers. */
  readonly countText: string
}

/** The link to the current page or its tab, which is the longest URL that `path` starts with. */
function currentOf(groups: readonly SidebarGroup[], path: string): string | null {
  const pages = groups.flatMap(({ links }) =>
    links.flatMap(({ href, tabs }) => [href, ...tabs].map((page) => ({ href, page }))),
  )
  const around = pages.filter(({ page }) => path === page || path.startsWith(`${page}/`))
  return around.sort((a, b) => b.page.length - a.page.length)[0]?.href ?? null
}

/** The links to all pages, by group. The link to the current page is marked. */
export function Sidebar({ groups }: { groups: readonly SidebarGroup[] }) {
  const current = currentOf(groups, usePathname())
  return groups.map(({ name, heading, links }) => (
    <div className="sidebar" key={name}>
      {heading && <p id={`nav-${name}`}>{heading}</p>}
      <ul aria-labelledby={heading ? `nav-${name}` : undefined}>
        {links.map(({ href, text, icon, count, countText }) => (
          <li key={href}>
            <a aria-current={href === current ? 'page' : undefined} href={href}>
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
  ))
}
