import { Alert, Button, Group, Switch, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ApiError, put } from '../api/client'
import { refresh, useAction, useList } from '../api/query'
import type { ConnectedAccount, WholeSequence } from '../api/types'
import { useCan } from '../session'
import { Empty } from '../shell/Page'
import { done } from '../shell/tell'
import { StepEditor } from './StepEditor'
import classes from './sequences.module.css'
import { childrenOf, type Draft, fromSteps, newKey, type StepType, toSteps, troubles, without } from './steps'
import { Tree } from './Tree'

/** The steps as a tree, and the chosen one beside it. Kept as a whole. */
export function Builder({ sequence }: { sequence: WholeSequence }) {
  const may = useCan('sequences:write')
  const locked = !may || !['draft', 'paused'].includes(sequence.status)
  const accounts = useList<ConnectedAccount>('/connected-accounts').data?.data ?? []
  const [drafts, setDrafts] = useState<Draft[]>(() => fromSteps(sequence.steps))
  const [mode, setMode] = useState(sequence.mode)
  const [chosen, setChosen] = useState<string | null>(drafts[0]?.key ?? null)
  const [dirty, setDirty] = useState(false)
  const [as, setAs] = useState<string | null>(null)
  const found = useMemo(() => troubles(drafts, accounts), [drafts, accounts])
  const step = drafts.find((one) => one.key === chosen)
  useBlocker({
    shouldBlockFn: () => dirty && !window.confirm('The steps have changes that are not saved. Leave all the same?'),
  })

  const keep = useAction(
    () => put<WholeSequence>(`/sequences/${sequence.id}`, { mode, steps: toSteps(drafts) }),
    async () => {
      setDirty(false)
      await refresh('sequences', 'stats')
      done('Steps saved')
    },
  )
  const change = (next: Draft[]) => {
    setDrafts(next)
    setDirty(true)
  }
  const add = (type: StepType, place: { after?: string; below?: string }) => {
    const key = newKey()
    const before = drafts.find((one) => one.key === place.after)
    const fresh: Draft = {
      key,
      type,
      name: null,
      subject: null,
      body: null,
      delay_days: drafts.length && !place.below ? 2 : 0,
      delay_hours: 0,
      execution_mode: type === 'call' || type === 'task' ? 'manual' : 'automatic',
      sender_ids: [],
      parent_step_id: place.below ?? (before?.parent_step_id ? before.key : null),
      branch_condition: place.below
        ? {
            type: childrenOf(drafts, place.below).length === 0 ? 'not_replied' : 'otherwise',
            after_days: childrenOf(drafts, place.below).length === 0 ? 3 : 0,
          }
        : null,
    }
    change([...drafts, fresh])
    setChosen(key)
  }
  const problems = keep.error instanceof ApiError ? keep.error.problems : []
  const indexed = (key: string) => {
    const index = drafts.findIndex((one) => one.key === key)
    return problems
      .filter((one) => one.field.startsWith(`steps.${index}.`) || one.field === `steps.${index}`)
      .map((one) => `${one.field.replace(/^steps\.\d+\.?/, '')}: ${one.reason}`)
  }
  const general = problems.filter((one) => !/^steps\.\d+/.test(one.field))
  return (
    <>
      <Group mb="md" gap="md">
        {!locked && (
          <>
            <Button disabled={!dirty} loading={keep.isPending} onClick={() => keep.mutate(undefined)}>
              Save steps
            </Button>
            <Switch
              size="xs"
              label="Branches"
              checked={mode === 'advanced'}
              disabled={drafts.some((one) => one.parent_step_id)}
              onChange={(event) => {
                setMode(event.currentTarget.checked ? 'advanced' : 'simple')
                setDirty(true)
              }}
            />
          </>
        )}
        <Text c="dimmed" size="sm">
          {locked && sequence.status === 'active'
            ? 'Pause the sequence to change its steps. Who is enrolled stays on the version they began with.'
            : `Version ${sequence.version}`}
        </Text>
      </Group>
      {keep.error && (
        <Alert color="red" variant="outline" mb="md" title="The steps were not saved">
          {(general.length
            ? general.map((one) => `${one.field}: ${one.reason}`)
            : problems.length
              ? []
              : [keep.error.message]
          ).map((text) => (
            <div key={text}>{text}</div>
          ))}
          {problems.length > general.length && <div>What is wrong stands at the steps.</div>}
        </Alert>
      )}
      {found.length > 0 && (
        <Alert color="gray" variant="outline" mb="md" title="Before it can start">
          {found.map((one, index) => (
            <div key={index}>
              {one.key ? (
                <button
                  type="button"
                  className="row-plain"
                  onClick={() => setChosen(one.key)}
                  style={{ textDecoration: 'underline' }}
                >
                  {one.text}
                </button>
              ) : (
                one.text
              )}
            </div>
          ))}
        </Alert>
      )}
      <div className={classes.editor}>
        <div className={classes.treebox}>
          <Tree
            drafts={drafts}
            chosen={chosen}
            troubles={[
              ...found,
              ...drafts.filter((one) => indexed(one.key).length > 0).map((one) => ({ key: one.key, text: '' })),
            ]}
            locked={locked}
            branching={mode === 'advanced'}
            onChoose={setChosen}
            onAdd={add}
          />
        </div>
        <div className={classes.side}>
          {step ? (
            <StepEditor
              key={step.key}
              sequence={sequence.id}
              drafts={drafts}
              step={step}
              as={as}
              onAs={setAs}
              locked={locked}
              accounts={accounts}
              problems={indexed(step.key)}
              onChange={(changes) => change(drafts.map((one) => (one.key === step.key ? { ...one, ...changes } : one)))}
              onRemove={() => {
                change(without(drafts, step.key))
                setChosen(null)
              }}
            />
          ) : (
            <Empty title="Choose a step">Its text, its wait and its sender are changed here.</Empty>
          )}
        </div>
      </div>
    </>
  )
}
