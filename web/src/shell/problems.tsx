import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client'
import { errorText } from '../fields/errorText'
import { capital, sentence } from '../fields/format'

/** The message of an error, with the id that finds the request in the logs. */
export function ErrorMessage({ error }: { error: unknown }) {
  const known = error instanceof ApiError ? error : null
  return (
    <div role="alert">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {capital(errorText(error))}
      </Text>
      {known?.requestId && (
        <Text size="xs" c="dimmed">
          Request {known.requestId}
        </Text>
      )}
    </div>
  )
}

/** The problem with one member of a request, for its field. */
export function problemOf(error: unknown, field: string): ReactNode {
  const found = error instanceof ApiError ? error.problems.find((one) => one.field === field) : undefined
  return found && <Problem field={field}>{sentence(found.reason)}</Problem>
}

/** A problem at its field, which is removed when the field is changed. */
export const Problem = ({ field, children }: { field: string; children: ReactNode }) => (
  <span role="alert" data-problem={field}>
    {children}
  </span>
)

/** The problems with a member that is a list, or with its items: `cc.0`. */
export function problemIn(error: unknown, field: string): ReactNode {
  const problems = error instanceof ApiError ? error.problems : []
  const reasons = problems.filter((one) => memberOf(one.field) === field).map((one) => one.reason)
  return reasons.length > 0 && <Problem field={field}>{reasons.map(sentence).join('. ')}</Problem>
}

/** The member of a body that a problem names: `cc` of `cc.0`. */
export const memberOf = (field: string) => field.split('.')[0]

/** Whether all problems are shown at these fields, so that no notice is needed. */
export const isPlaced = (error: unknown, fields: string[]) =>
  error instanceof ApiError &&
  error.problems.length > 0 &&
  error.problems.every(
    ({ field }) => fields.includes(field) || (/\.\d+$/.test(field) && fields.includes(memberOf(field))),
  )
