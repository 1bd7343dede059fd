/** A rating of up to five stars, also for screen readers. */
export function Stars({ rating }: { rating: number | null }) {
  if (!rating) return <span className="dim">Not rated</span>
  return (
    <span role="img" aria-label={`Rated ${rating} of 5`} style={{ letterSpacing: 1, color: 'var(--r-accent)' }}>
      {'★'.repeat(rating)}
      <span className="dim">{'☆'.repeat(5 - rating)}</span>
    </span>
  )
}
