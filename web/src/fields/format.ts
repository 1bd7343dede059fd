const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const SHORT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const COUNT = new Intl.NumberFormat()

/** A sentence with a capital at its start, unless it begins with the name of a member such as `first_name`. */
export const capital = (text: string) =>
  text.replace(/^\p{Ll}(?=\p{L}*(?:[\s,.’]|$))/u, (letter) => letter.toUpperCase())

/** The server's reason as a sentence about the field that shows it: `is required` as `This is required`. */
export const sentence = (reason: string) => capital(reason.replace(/^(?=(?:is|has|was|does) )/, 'this '))

/** A day; the year only if it is not the current one. */
export function day(value: string | null | undefined): string {
  if (!value) return ''
  const date = new Date(value.length === 10 ? `${value}T12:00:00` : value)
  return (date.getFullYear() === new Date().getFullYear() ? SHORT : DAY).format(date)
}
export const full = (value: string | null | undefined) => (value ? FULL.format(new Date(value)) : '')
/** The time of a day: `14:05`. */
export const clock = (value: string) => CLOCK.format(new Date(value))

/** `Today`, `Yesterday`, then the weekday and the date; the year if it is not the current one. */
export function dayName(value: string): string {
  const date = new Date(value)
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(value).setHours(0, 0, 0, 0)) / 86_400_000)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return date.getFullYear() === new Date().getFullYear() ? WEEKDAY.format(date) : DAY.format(date)
}

export const count = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : COUNT.format(value)

/** `1 request`, `1,200 requests`. */
export const plural = (value: number, noun: string) => `${COUNT.format(value)} ${noun}${value === 1 ? '' : 's'}`

/** `1 person`, `1,200 people`. */
export const people = (value: number) => (value === 1 ? '1 person' : `${COUNT.format(value)} people`)

/** A duration in its largest unit. */
export function lasted(seconds: number): string {
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** The number of days since, `1 day`, `34 days`. */
export function days(value: string): string {
  const number = Math.floor((Date.now() - new Date(value).getTime()) / 86_400_000)
  return number === 1 ? '1 day' : `${COUNT.format(number)} days`
}

/** `3 min ago`, `yesterday`, then the date. */
export function ago(value: string | null | undefined): string {
  if (!value) return ''
  const date = new Date(value)
  const seconds = (date.getTime() - Date.now()) / 1000
  const far = Math.abs(seconds)
  if (far < 60) return seconds > 0 ? 'in a moment' : 'just now'
  if (far < 3600) return RELATIVE.format(Math.round(seconds / 60), 'minute')
  if (far < 86_400) return RELATIVE.format(Math.round(seconds / 3600), 'hour')
  if (far < 7 * 86_400) return RELATIVE.format(Math.round(seconds / 86_400), 'day')
  return date.getFullYear() === new Date().getFullYear() ? SHORT.format(date) : DAY.format(date)
}

export function money(value: number | null | undefined, currency: string): string {
  if (value === null || value === undefined) return ''
  const digits = Number.isInteger(value) ? 0 : 2
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: 4,
  }).format(value)
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Today as `YYYY-MM-DD` in the browser's time zone. */
export const today = (plus = 0) => {
  const date = new Date()
  date.setDate(date.getDate() + plus)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

/** A reason from the server, with its times in readable form. */
export const readable = (text: string | null | undefined) =>
  (text ?? '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => full(time))
    .replace(/^([a-z]+)_([a-z]+)(?:_([a-z]+))?/, (words) => words.replaceAll('_', ' '))
