'use client'

import { usePathname } from 'next/navigation'
import { navigationList } from './page-parts.tsx'

interface Props {
  links: readonly { href: string; text: string }[]
  /** The parent page. It is not marked as current when one of its child pages is open. */
  root?: string
}

/** The links to the sections. One is marked as current. */
export function NavLinks({ links, root }: Props) {
  const path = usePathname()
  const isCurrent = (href: string) => path === href || (href !== root && path.startsWith(`${href}/`))
  return (
    <ul className={navigationList}>
      {links.map(({ href, text }) => (
        <li key={href}>
          <a
            aria-current={isCurrent(href) ? 'page' : undefined}
            className="inline-flex min-h-9 items-center rounded-box px-2 text-note underline-offset-4 transition-colors hover:underline aria-[current]:font-semibold aria-[current]:underline aria-[current]:decoration-2"
            href={href}
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  )
}
