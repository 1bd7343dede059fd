/** How far something has come: a part of the whole, reached, or given up. */
export type Progress = number | 'reached' | 'given up'

/**
 * A ring that fills up with the place in an order, so that a list reads as progress also without colours: the first is
 * dashed, the last has a tick, an end without success a cross.
 */
export function Ring({ progress, color }: { progress: Progress; color: string }) {
  return (
    <svg className="ring" viewBox="0 0 12 12" aria-hidden>
      {progress === 'reached' || progress === 'given up' ? (
        <>
          <circle cx="6" cy="6" r="6" fill={color} />
          <path
            d={progress === 'reached' ? 'M3.4 6.2l1.8 1.8 3.4-3.7' : 'M4 4l4 4M8 4l-4 4'}
            fill="none"
            stroke="var(--r-sheet)"
            strokeWidth="1.5"
            strokeLinecap="round"
          />
        </>
      ) : (
        <>
          <circle
            cx="6"
            cy="6"
            r="5.2"
            fill="none"
            stroke={color}
            strokeWidth="1.5"
            strokeDasharray={progress === 0 ? '1.9 1.5' : undefined}
          />
          {progress > 0 && (
            <circle
              cx="6"
              cy="6"
              r="1.75"
              fill="none"
              stroke={color}
              strokeWidth="3.5"
              strokeDasharray={`${(progress * 11).toFixed(2)} 11`}
              transform="rotate(-90 6 6)"
            />
          )}
        </>
      )}
    </svg>
  )
}

type Stage = { id: string; system_category?: string | null }

/** The place of a stage in its pipeline. */
export function progressOf(stages: readonly Stage[], id: string): Progress {
  const at = stages.findIndex((stage) => stage.id === id)
  const category = stages[at]?.system_category
  if (category === 'rejected') return 'given up'
  if (category === 'hired') return 'reached'
  const open = stages.filter((stage) => stage.system_category !== 'rejected')
  return Math.max(0, at) / Math.max(1, open.length - 1) || 0
}
