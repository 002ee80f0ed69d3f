/** Shows moments (`time[data-local]`) in the reader's time zone. */
export function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const date = { day: 'numeric', month: 'long', year: 'numeric' } as const
    const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
    const parts = time.dataset.part === 'day' ? date : { ...date, ...clock }
    time.textContent = new Date(time.dateTime).toLocaleString(time.dataset.local, parts)
  }
}
