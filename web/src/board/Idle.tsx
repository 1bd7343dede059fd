import { plural } from '../fields/format'

/** A card is marked after so many days without a change, and more strongly after the second number. */
const QUIET = 14
const ROTTEN = 30

/** The days since a card was changed or moved for the last time. */
export function Idle({ since }: { since: string }) {
  const days = Math.floor((Date.now() - new Date(since).getTime()) / 86_400_000)
  return (
    <span
      title={`${plural(days, 'day')} without a change`}
      className="tag num"
      data-warn={(days >= QUIET && days < ROTTEN) || undefined}
      data-loud={days >= ROTTEN || undefined}
    >
      {days >= QUIET ? `Idle ${days} days` : `${days} d`}
    </span>
  )
}
