import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, postValues } from '../api/client'
import type { DataOf, Path } from '../api/paths'
import { refresh, useAction } from '../api/query'
import { sentence } from '../fields/format'
import { Modal } from '../shell/Modal'
import { ErrorMessage } from '../shell/problems'
import { useProblems } from '../shell/useProblems'

type Props<P extends Path<'post'>> = {
  title: string
  path: P
  opened: boolean
  onClose: () => void
  onMade: (record: DataOf<P, 'post'>) => void
  initial: Record<string, unknown>
  /** Renders the inputs; `error(name)` is the server's problem with a member. */
  children: (form: Form) => ReactNode
  /** The request body, if it is not the form itself. */
  body?: (values: Record<string, unknown>) => object
}

export type Form = {
  values: Record<string, unknown>
  set: (name: string, value: unknown) => void
  /** The value of a select or picker. */
  choice: (name: string) => string | null
  error: (name: string) => string | undefined
  text: (name: string) => {
    value: string
    onChange: (event: { currentTarget: { value: string } }) => void
    error?: string
  }
}

/** A small dialog that creates a record. Empty members are not sent. */
export function QuickAdd<P extends Path<'post'>>(props: Props<P>) {
  const [values, setValues] = useState(props.initial)
  const make = useAction(
    (_: boolean) => {
      const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null))
      return postValues(props.path, props.body ? props.body(filled) : filled)
    },
    (answer, again) => {
      setValues(props.initial)
      refresh(props.path.split('/')[1])
      if (!again) props.onClose()
      props.onMade(answer.data)
    },
  )
  const { left, solve } = useProblems(make.error)
  const problems = left instanceof ApiError ? left.problems : []
  const problemWith = (name: string) =>
    problems.find((one) => one.field === name || one.field.startsWith(`${name}.`))?.reason
  const form: Form = {
    values,
    set: (name, value) => {
      solve(name)
      setValues((before) => ({ ...before, [name]: value }))
    },
    choice: (name) => (values[name] === null || values[name] === undefined ? null : String(values[name])),
    error: (name) => {
      const reason = problemWith(name)
      return reason && sentence(reason)
    },
    text: (name) => ({
      value: String(values[name] ?? ''),
      onChange: (event) => form.set(name, event.currentTarget.value),
      error: form.error(name),
    }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate(false)
  }
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {props.children(form)}
          {left && <ErrorMessage error={left} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={make.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
