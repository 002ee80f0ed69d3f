/**
 * Simple icons on a grid of 24 × 24. Words with the same meaning are next to each icon, so icons are hidden from screen
 * readers.
 */
const paths = {
  chevron: 'M6 9.5l6 6 6-6',
  back: 'M14.5 6l-6 6 6 6',
  alert: 'M12 7.5v5.5M12 16.4v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 7v5l3.2 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  closed: 'M7 7l10 10M17 7L7 17',
  mail: 'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.5 7.5L12 13l8.5-5.5',
  lock: 'M7.5 11V8a4.5 4.5 0 0 1 9 0v3M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM12 14.5v2',
  copy: 'M9 9h10v11H9zM6 15H5V4h10v2',
  lost: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20',
  collapse: 'M4 4.5h16v15H4zM9.5 4.5v15M16 9l-3 3 3 3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4.5v-6h-5v6H5a1 1 0 0 1-1-1z',
  orders: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5',
  subscriptions: 'M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5',
  people:
    'M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 19.5c0-3 2.6-5 6-5s6 2 6 5M16 5a3.5 3.5 0 0 1 0 6.5M18 15c1.8.8 3 2.4 3 4.5',
  dispute: 'M12 4v16M7 20h10M5 7h14M5 7l-2.5 6a3 3 0 0 0 5 0zM19 7l-2.5 6a3 3 0 0 0 5 0z',
  products: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L11.8 7.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5',
  cart: 'M3 4h2.5l2.5 11h10l2-8H6.5M9.5 19.5v.1M16.5 19.5v.1',
  balance:
    'M4 7.5A1.5 1.5 0 0 1 5.5 6H18v3M4 7.5V18a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1V10a1 1 0 0 0-1-1H5.5A1.5 1.5 0 0 1 4 7.5zM16 14v.1',
  bank: 'M4 9l8-5 8 5zM5 20h14M7 9v8M12 9v8M17 9v8',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8.5-8.5M16 7l3 3M13.5 9.5l2 2',
  webhook: 'M9 8a3.5 3.5 0 1 1 5 3.2l2.5 4.5M15 16a3.5 3.5 0 1 1 1 3.5H8M9.5 10.5L7 15a3.5 3.5 0 1 0 2 3',
  send: 'M20.5 3.5L3 10.5l7 3.5 3.5 7zM10 14l5-5',
  brand:
    'M12 3.5a8.5 8.5 0 0 0 0 17c1.5 0 2-1 1.5-2-.7-1.5.2-3 2-3h2a3 3 0 0 0 3-3c0-5-3.8-9-8.5-9zM8 11v.1M11 7.5v.1M15.5 8.5v.1',
  stop: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM6 6l12 12',
  review: 'M5 4h14v16H5zM8.5 9l1.5 1.5 2.5-3M8.5 15l1.5 1.5 2.5-3M15 9h1M15 15h1',
  chart: 'M4 4v16h16M8 16v-4M12 16V8M16 16v-6',
  tasks: 'M4 6h3v3H4zM4 15h3v3H4zM11 7.5h9M11 16.5h9',
  check: 'M12 3l7.5 3v5.5c0 4.5-3 7.8-7.5 9.5-4.5-1.7-7.5-5-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5',
  log: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6',
  shop: 'M4 9.5l1.5-5.5h13L20 9.5a2.7 2.7 0 0 1-5.3 0 2.7 2.7 0 0 1-5.4 0 2.7 2.7 0 0 1-5.3 0zM5.5 13v7h13v-7',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .9-1 1.7M12 16.4v.1',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20c0-3.3 3-5.5 7-5.5s7 2.2 7 5.5',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, className = '' }: { name: IconName; className?: string }) => (
  <svg aria-hidden="true" className={`icon ${className}`} viewBox="0 0 24 24">
    <path d={paths[name]} />
  </svg>
)
