import type { ReactNode } from 'react'
import { Callout } from '@/components/ui/callout.tsx'
import { Icon, type IconName } from '@/components/ui/icon.tsx'
import { Menu, menuRow } from '@/components/ui/menu.tsx'
import type { AdminFrame, StaffSection, StorefrontFrame, StorefrontSection } from '@/lib/modules/accounts/page.ts'
import { CopyTexts } from './copy-texts.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { Moment } from './moment.tsx'
import { SearchBox } from './search-box.tsx'
import { Sidebar, type SidebarGroup } from './sidebar.tsx'
import { adminText as t } from './text.ts'

export function Frame({ frame, children }: { frame: AdminFrame; children: ReactNode }) {
  const { storefront } = frame
  return (
    <>
      <a
        className="sr-only rounded-box bg-paper px-4 py-3 focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50"
        href="#content"
      >
        {t('frame.skip')}
      </a>
      <TopBar frame={frame} />
      {storefront?.mode === 'test' && <TestStrip storefront={storefront} />}
      <div className="wide:grid wide:grid-cols-[auto_minmax(0,1fr)]">
        <Sidebar
          groups={groupsOf(frame)}
          isCollapsed={frame.showsIcons}
          label={t('nav.label')}
          texts={{ collapse: t('frame.collapse'), expand: t('frame.expand') }}
        >
          <div className="border-line border-t pt-3 wide:hidden">
            <Account email={frame.email} />
          </div>
        </Sidebar>
        <main className="mx-auto w-full max-w-6xl px-4 py-4 wide:px-8 wide:py-6" id="content">
          {storefront && <StateOfStorefront {...storefront} />}
          {children}
        </main>
      </div>
      <CopyTexts copied={t('copy.copied')} failed={t('copy.failed')} />
    </>
  )
}

function TopBar({ frame }: { frame: AdminFrame }) {
  const { storefront, email } = frame
  return (
    <header
      className="sticky top-0 z-20 flex h-14 items-center gap-2 border-line border-b bg-paper px-2 wide:gap-4 wide:px-4"
      data-top-bar
    >
      <button
        aria-label={t('frame.menu')}
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-box hover:bg-ground wide:hidden"
        popoverTarget="menu"
        type="button"
      >
        <Icon name="menu" />
      </button>
      <a className="hidden w-52 shrink-0 px-3 font-semibold no-underline wide:block" href="/admin">
        {t('product')}
      </a>
      {storefront && <Switcher frame={frame} />}
      {storefront && (
        <ModeSwitch
          label={t('frame.mode')}
          mode={storefront.mode}
          names={{ test: t('frame.modes.test'), live: t('frame.modes.live') }}
          storefront={storefront.path}
          testOnly={storefront.testOnly}
        />
      )}
      <div className="hidden grow justify-end wide:flex">
        <SearchBox hint={t('search.hint')} label={t('search.label')} />
      </div>
      <a
        aria-label={t('search.label')}
        className="ms-auto inline-flex size-10 shrink-0 items-center justify-center rounded-box hover:bg-ground wide:hidden"
        href="/admin/search"
      >
        <Icon className="size-5" name="search" />
      </a>
      <a className="hidden min-h-9 items-center gap-1 px-2 text-note no-underline wide:inline-flex" href="/docs">
        <Icon className="size-5" name="help" />
        {t('frame.help')}
      </a>
      <Menu
        button={<Icon className="size-5" name="person" />}
        className="max-wide:hidden"
        id="account"
        label={t('frame.account')}
        place="top-13 end-4 min-w-56"
      >
        <Account email={email} />
      </Menu>
    </header>
  )
}

const Switcher = ({ frame: { storefront, storefronts, hasMoreStorefronts } }: { frame: AdminFrame }) => (
  <Menu
    button={
      <>
        <bdi className="max-w-[28vw] truncate font-semibold wide:max-w-64">{storefront?.name}</bdi>
        <Icon className="size-4 shrink-0" name="chevron" />
      </>
    }
    className="min-w-0"
    id="storefronts"
    place="top-13 start-12 w-72 wide:start-60"
  >
    <p className="wrap-anywhere px-3 pb-1 text-note text-soft">{storefront?.merchant}</p>
    <ul>
      {storefronts.map(({ name, url }) => (
        <li key={url}>
          <a aria-current={url === storefront?.path ? 'true' : undefined} className={menuRow} href={url}>
            <bdi className="min-w-0 grow truncate">{name}</bdi>
            {url === storefront?.path && <Icon className="size-4" name="done" />}
          </a>
        </li>
      ))}
    </ul>
    <a className={`${menuRow} border-line border-t text-accent`} href="/admin/storefronts">
      {t(hasMoreStorefronts ? 'frame.allStorefronts' : 'frame.manageStorefronts')}
    </a>
  </Menu>
)

const Account = ({ email }: { email: string }) => (
  <>
    <p className="wrap-anywhere px-3 py-1 text-note text-soft">{t('signedInAs', { email })}</p>
    <a className={menuRow} href="/admin/sessions">
      <Icon className="size-5" name="lock" />
      {t('nav.sessions')}
    </a>
    <form action="/admin/sign-out" method="post">
      <button className={menuRow} type="submit">
        <Icon className="size-5" name="closed" />
        {t('signOut')}
      </button>
    </form>
  </>
)

const TestStrip = ({ storefront: { path, now, mayAdvance } }: { storefront: StorefrontFrame }) => (
  <p className="flex min-h-8 flex-wrap items-center gap-x-2 border-warn border-b bg-warn-tint px-4 py-1 text-note text-warn">
    <strong className="font-semibold">{t('storefront.modes.test')}</strong>
    <span aria-hidden="true">·</span>
    <span>
      {t('storefront.clock')} <Moment at={now} />
    </span>
    {/* There is no dot before the link, because the width reserved for the UTC time would leave a gap before the dot. */}
    {mayAdvance && (
      <a className="inline-flex min-h-6 items-center underline underline-offset-2" href={`${path}/clock`}>
        {t('frame.advance')}
      </a>
    )}
  </p>
)

export const StateOfStorefront = ({ heldAt, suspension }: StorefrontFrame) => (
  <>
    {heldAt && (
      <Callout
        title={
          <>
            {t('hold.band')} <Moment at={heldAt} />
          </>
        }
        tone="danger"
      >
        <p>{t('hold.text')}</p>
      </Callout>
    )}
    {suspension && (
      <Callout
        title={
          <>
            {t('suspension.band')} <Moment at={suspension.since} />
          </>
        }
        tone="danger"
      >
        <p className="wrap-anywhere">{suspension.reason}</p>
      </Callout>
    )}
  </>
)

const icons: Readonly<Record<StorefrontSection, IconName>> = {
  overview: 'home',
  orders: 'orders',
  subscriptions: 'subscriptions',
  customers: 'people',
  'past-due': 'alert',
  chargebacks: 'dispute',
  catalog: 'products',
  'payment-links': 'link',
  checkouts: 'cart',
  balance: 'balance',
  payouts: 'send',
  'tax-report': 'chart',
  keys: 'key',
  endpoints: 'webhook',
  events: 'send',
  clock: 'clock',
  brand: 'brand',
  portal: 'person',
  emails: 'mail',
  members: 'people',
  'payout-account': 'bank',
  'audit-log': 'log',
  suspension: 'stop',
}

const staffIcons: Readonly<Record<StaffSection, IconName>> = {
  overview: 'mail',
  storefronts: 'shop',
  reviews: 'review',
  disputes: 'dispute',
  'tax-returns': 'log',
  thresholds: 'chart',
  work: 'tasks',
  invariants: 'check',
  audit: 'log',
  'payout-files': 'bank',
  registrations: 'review',
  'provider-accounts': 'balance',
  'personal-data': 'person',
  people: 'people',
}

function groupsOf({ storefront, staff }: AdminFrame): SidebarGroup[] {
  const ofStorefront = (storefront?.groups ?? []).map(({ group, links }) => ({
    name: group,
    heading: group === 'home' ? null : t(`frame.groups.${group}`),
    links: links.map(({ section, url, count, tabs = [] }) => ({
      href: url,
      tabs,
      text: t(`storefront.nav.${section}`),
      icon: icons[section],
      count,
      countText: t('frame.waiting', { count }),
    })),
  }))
  const ofStaff = {
    name: 'operations',
    heading: t('frame.groups.operations'),
    links: (staff ?? []).map(({ section, url, count }) => ({
      href: url,
      tabs: [],
      text: t(`nav.${section}`),
      icon: staffIcons[section],
      count,
      countText: t('frame.waiting', { count }),
    })),
  }
  return [...ofStorefront, ofStaff].filter(({ links }) => links.length > 0)
}
