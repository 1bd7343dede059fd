import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError, type Problem, post } from '../api/client'
import type { StepPreview } from '../api/types'
import { Mail } from '../inbox/Mail'
import { ErrorMessage } from '../shell/problems'
import classes from './sequences.module.css'
import { type Draft, isOfText, labelOf, toSteps } from './steps'

/** The step as the server would send it to a contact, requested shortly after the last key press. */
export function usePreview(sequence: string, drafts: Draft[], key: string, contact: string | null, variant?: number) {
  const now = useMemo(
    () => ({
      contact_id: contact,
      step: drafts.findIndex((one) => one.key === key),
      steps: toSteps(drafts),
      ...(variant === undefined ? {} : { variant }),
    }),
    [contact, drafts, key, variant],
  )
  const [{ contact_id, ...body }] = useDebouncedValue(now, 250)
  const path = `/dashboard/sequences/${sequence}/preview` as const
  const asked = useQuery({
    queryKey: ['preview', path, contact_id, body],
    queryFn:
      contact_id === null || body.step < 0 ? skipToken : async () => (await post(path, { ...body, contact_id })).data,
    placeholderData: keepPreviousData,
  })
  return { data: contact ? asked.data : undefined, error: contact ? asked.error : null }
}

/** Problems by the key of their step; field names are relative to the step: `body`. */
export type Problems = Record<string, Problem[]>

export function byStep(keys: string[], problems: Problem[]): Problems {
  const found: Problems = {}
  for (const { field, reason } of problems) {
    const [, index, own] = /^steps\.(\d+)\.?(.*)$/.exec(field) ?? []
    const key = index === undefined ? undefined : keys[Number(index)]
    if (!key) continue
    found[key] ??= []
    found[key].push({ field: own, reason })
  }
  return found
}

/** The problems that prevent saving, requested shortly after the last key press. */
export function useCheck(sequence: string, drafts: Draft[], enabled: boolean): Problems {
  const now = useMemo(() => ({ keys: drafts.map((one) => one.key), steps: toSteps(drafts) }), [drafts])
  const [{ keys, steps }] = useDebouncedValue(now, 250)
  const path = `/dashboard/sequences/${sequence}/check` as const
  const asked = useQuery({
    queryKey: ['preview', path, steps],
    queryFn: () =>
      post(path, { steps }).then(
        (answer) => byStep(keys, answer.data.problems),
        (error) => {
          if (error instanceof ApiError && error.problems.length) return byStep(keys, error.problems)
          throw error
        },
      ),
    enabled: enabled && steps.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return asked.data ?? {}
}

const sentAt = (at: string, zone: string | null) =>
  new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone ?? 'UTC',
  }).format(new Date(at))

const isText = (one: Problem) => isOfText(one.field.replace(/^steps\.\d+\./, ''))

type PreviewProps = {
  data?: StepPreview
  error: Error | null
  /** Whether the text is HTML; a plain one has HTML only to count opens and clicks. */
  isFormatted: boolean
}

/** The message that a contact would get, its time, and problems. */
export function Preview({ data, error, isFormatted }: PreviewProps) {
  // Problems with the subject or the text are shown at their fields.
  if (error instanceof ApiError && error.problems.length > 0 && error.problems.every(isText)) return null
  if (error) return <ErrorMessage error={error} />
  if (!data) return null
  const { subject, text, html, answers, blocked, problems, send_at: at, timezone, sender } = data
  const others = problems.filter((one) => !isOfText(one.field))
  return (
    <div aria-live="polite">
      {others.map((one) => (
        <Text key={one.field + one.reason} size="sm" c="red" mt={6}>
          {labelOf(one.field)}: {one.reason}
        </Text>
      ))}
      {blocked && (
        <Text size="sm" c="red" mt={6}>
          Nothing would go out: {blocked}.
        </Text>
      )}
      {at && !blocked && (
        <Text size="sm" c="dimmed" mt={6}>
          Enrolled now, they get it {sentAt(at, timezone)} ({timezone ?? 'UTC'}){sender && ` from ${sender.name}`}.
        </Text>
      )}
      {text !== null && (
        <div className={`grammar ${classes.preview}`} data-testid="preview">
          {subject && (
            <div className={classes.subject}>
              {answers && 'In the thread of '}
              {subject}
            </div>
          )}
          {isFormatted && html ? <Mail text={text} html={html} title="Preview" /> : text}
        </div>
      )}
    </div>
  )
}
