const LINK = /(https?:\/\/[^\s<>"']+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g

/** Text whose addresses of pages and people are links. */
export function Linked({ text }: { text: string }) {
  return text.split(LINK).map((part, index) => {
    if (index % 2 === 0) return part
    // A full stop or bracket at the end belongs to the sentence.
    const end = /[.,;:!?)\]]+$/.exec(part)?.[0] ?? ''
    const target = end ? part.slice(0, -end.length) : part
    const isPage = /^https?:/.test(target)
    return (
      <span key={index}>
        <a href={isPage ? target : `mailto:${target}`} {...(isPage && OUTSIDE)}>
          {target}
        </a>
        {end}
      </span>
    )
  })
}

/** A link that leaves the dashboard. */
export const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer' }
