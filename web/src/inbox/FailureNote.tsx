import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Failure, Remedy } from '../compose/failures'
import { Link } from '../shell/Link'
import classes from './inbox.module.css'

const REMEDIES: Record<Remedy, { label: string; to: (contactId: string) => string }> = {
  contact: { label: 'Open contact', to: (id) => `/contacts/${id}` },
  accounts: { label: 'Open connected accounts', to: () => '/settings/accounts' },
  suppressions: { label: 'Open suppressed addresses', to: () => '/settings/sending' },
}

type Props = {
  failure: Failure
  contactId: string
  /** The words of the server. */
  children: ReactNode
}

/** What happened to a message and what to do about it. The words of the server are behind “Details”. */
export function FailureNote({ failure, contactId, children }: Props) {
  const remedy = failure.remedy && REMEDIES[failure.remedy]
  return (
    <div className={classes.failure} role="note" aria-label={failure.isUnknown ? 'Maybe not sent' : 'Not delivered'}>
      <IconAlertTriangle size={16} aria-hidden />
      <div className="grow">
        <div className={classes.what}>{failure.title}</div>
        <div>
          {failure.advice} {remedy && <Link to={remedy.to(contactId)}>{remedy.label}</Link>}
        </div>
        <details>
          <summary>Details</summary>
          <div>{children}</div>
        </details>
      </div>
    </div>
  )
}
