/**
 * Whether the European Central Bank publishes reference rates on a day such as `2026-11-20`. A publishing day is a
 * weekday that is not a closing day of TARGET. The closing days are 1 January, Good Friday, Easter Monday, 1 May, and
 * 25 and 26 December.
 */
export function isPublishingDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6 || closedEveryYear.includes(day.slice(5))) return false
  const easter = easterOf(Number(day.slice(0, 4)))
  return day !== daysAfter(easter, -2) && day !== daysAfter(easter, 1)
}

const closedEveryYear = ['01-01', '05-01', '12-25', '12-26']

export const publishingDayFrom = (day: string): string =>
  isPublishingDay(day) ? day : publishingDayFrom(daysAfter(day, 1))

export function publishingDays(from: string, until: string): string[] {
  const days: string[] = []
  for (let day = publishingDayFrom(from); day < until; day = publishingDayFrom(daysAfter(day, 1))) days.push(day)
  return days
}

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The date of Easter Sunday. Source: Meeus, Astronomical Algorithms, ch. 8 (Gregorian calendar). */
function easterOf(year: number): string {
  const [golden, century, ofCentury] = [year % 19, Math.floor(year / 100), year % 100]
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moon + 15) % 30
  const week = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * week) / 451)
  const ordinal = epact + week - 7 * late + 114
  return new Date(Date.UTC(year, Math.floor(ordinal / 31) - 1, (ordinal % 31) + 1)).toISOString().slice(0, 10)
}
