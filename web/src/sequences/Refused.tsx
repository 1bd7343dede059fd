import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useGet } from '../api/query'
import { capital } from '../fields/format'
import { personName } from '../session'
import { Link } from '../shell/Link'

export type Refusal = { contact_id: string; reason: string }

/** How many are shown at first, and added by “Show more”: each one's name is a request. */
const PAGE = 20

/** The contacts for whom something was refused, each with the reason. */
export function Refused({ list }: { list: Refusal[] }) {
  const [shown, setShown] = useState(PAGE)
  return (
    <>
      <ul className="card" aria-label="Refused" style={{ margin: 0, padding: 0, listStyle: 'none' }}>
        {list.slice(0, shown).map((one) => (
          <Row key={one.contact_id} refusal={one} />
        ))}
      </ul>
      {list.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + PAGE)}>
          Show more
        </Button>
      )}
    </>
  )
}

function Row({ refusal: { contact_id, reason } }: { refusal: Refusal }) {
  const contact = useGet(`/contacts/${contact_id}`, undefined, { staleTime: 300_000 }).data?.data
  return (
    <li className="row-link" style={{ flexWrap: 'wrap' }}>
      <Link to={`/contacts/${contact_id}`} style={{ fontWeight: 600 }}>
        {personName(contact) || '…'}
      </Link>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {capital(reason)}
      </Text>
    </li>
  )
}
