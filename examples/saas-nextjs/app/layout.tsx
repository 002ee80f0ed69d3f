import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import './style.css'

export const metadata: Metadata = { title: 'Lumen' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/">Pricing</Link> <Link href="/account">Account</Link>
        </nav>
        <main>{children}</main>
      </body>
    </html>
  )
}
