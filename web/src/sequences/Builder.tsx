import { Alert, Button, Group, Switch, Text } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError, get, type Problem, put } from '../api/client'
import { refresh, useAction, useList } from '../api/query'
import type { WholeSequence } from '../api/types'
import { variablesIn } from '../compose/variables'
import { useCan } from '../session'
import { ask } from '../shell/ask'
import { notify } from '../shell/notices'
import { Empty } from '../shell/Page'
import { byStep, type Problems, useCheck } from './Preview'
import { StepEditor } from './StepEditor'
import classes from './sequences.module.css'
import {
  childrenOf,
  type Draft,
  fromSteps,
  inWords,
  isOfText,
  newKey,
  type StepType,
  startProblems,
  toSteps,
  without,
  withVariantIds,
  writtenIn,
} from './steps'
import { Tree } from './Tree'

/** Saves the unsaved changes of a tab; null if there are none. */
export type Unsaved = RefObject<(() => Promise<unknown>) | null>

/** Lets the page save this tab's unsaved changes while the tab is shown. */
export function useUnsaved(unsaved: Unsaved, isDirty: boolean, save: () => Promise<unknown>) {
  useEffect(() => {
    unsaved.current = isDirty ? save : null
  })
  useEffect(
    () => () => {
      unsaved.current = null
    },
    [unsaved],
  )
}

/** Asks before unsaved changes are lost. */
export const confirmDiscard = (what: string) =>
  ask({
    title: 'Discard the changes?',
    text: `The ${what} have changes that are not saved.`,
    action: 'Discard changes',
    cancel: 'Keep editing',
    danger: true,
  })

type Props = { sequence: WholeSequence; unsaved: Unsaved; first?: number; onSaved: () => void }

/** The steps as a tree, with the selected one beside it. All steps are saved together. */
export function Builder({ sequence, unsaved, first = 0, onSaved }: Props) {
  const may = useCan('sequences:write')
  const locked = !may || !['draft', 'paused'].includes(sequence.status)
  const accounts = useList('/connected-accounts').data?.data ?? []
  const [drafts, setDrafts] = useState<Draft[]>(() => fromSteps(sequence.steps))
  const [mode, setMode] = useState(sequence.mode)
  const [chosen, setChosen] = useState<string | null>((drafts[first] ?? drafts[0])?.key ?? null)
  const [dirty, setDirty] = useState(false)
  const [as, setAs] = useState<string | null>(null)
  /** The server's problems when the steps were saved, by step, until the step is changed. */
  const [refused, setRefused] = useState<Problems>({})
  const savedDrafts = useRef<Draft[]>(drafts)
  const checked = useCheck(sequence.id, drafts, !locked)
  const step = drafts.find((one) => one.key === chosen)
  useBlocker({
    enableBeforeUnload: dirty,
    shouldBlockFn: async () => dirty && !(await confirmDiscard('steps')),
  })

  const save = useAction(
    () => {
      setRefused({})
      savedDrafts.current = drafts
      return put(`/sequences/${sequence.id}`, { mode, steps: toSteps(drafts) }).catch((error) => {
        if (error instanceof ApiError) {
          setRefused(
            byStep(
              drafts.map((one) => one.key),
              error.problems,
            ),
          )
        }
        throw error
      })
    },
    async () => {
      setDirty(false)
      onSaved()
      // A variant without an id would be a new one when the steps are saved again.
      if (savedDrafts.current.some((one) => one.variants.some((variant) => !variant.id))) {
        const { steps } = (await get(`/sequences/${sequence.id}`)).data
        setDrafts((now) => withVariantIds(now, savedDrafts.current, steps))
      }
      await refresh('sequences', 'stats')
      notify('Steps saved')
    },
  )
  /** Saves the steps if needed; returns one as it is stored. The form shows why they were not saved. */
  const stored = async (one: Draft) => {
    const isSaved = !dirty || (await save.mutateAsync(undefined).then(Boolean, () => false))
    return isSaved ? (await get(`/sequences/${sequence.id}`)).data.steps[drafts.indexOf(one)] : undefined
  }
  useUnsaved(unsaved, dirty, () => save.mutateAsync(undefined))
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
      cc: [],
      bcc: [],
      reply_to: null,
      attachments: [],
      variants: [],
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
  const problems = save.error instanceof ApiError ? save.error.problems : []
  const wrongOf = (key: string) => [...(refused[key] ?? []), ...(checked[key] ?? [])]
  const found = useMemo(() => {
    const more = drafts.flatMap((one, index) =>
      (checked[one.key] ?? [])
        .filter(({ field }) => isOfText(field))
        .filter((problem) => !isListed(one, problem))
        .map(({ field, reason }) => ({
          key: one.key,
          text: inWords(drafts, { field: `steps.${index}.${field}`, reason }),
        })),
    )
    return [...startProblems(drafts, accounts), ...more]
  }, [drafts, accounts, checked])
  const general = problems.filter((one) => !/^steps\.\d+/.test(one.field))
  return (
    <>
      <Group mb="md" gap="md">
        {!locked && (
          <>
            <Button disabled={!dirty} loading={save.isPending} onClick={() => save.mutate(undefined)}>
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
            ? 'Pause the sequence to edit its steps. Enrolled contacts stay on the version they started with.'
            : `Version ${sequence.version}`}
        </Text>
      </Group>
      {save.error && (
        <Alert color="red" variant="outline" mb="md" title="The steps were not saved">
          {(general.length
            ? general.map((one) => inWords(drafts, one))
            : problems.length
              ? []
              : [save.error.message]
          ).map((text) => (
            <div key={text}>{text}</div>
          ))}
          {problems.length > general.length && <div>See the steps for details.</div>}
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
            marked={
              new Set([
                ...found.map((one) => one.key),
                ...drafts.filter((one) => wrongOf(one.key).length > 0).map((one) => one.key),
              ])
            }
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
              sequence={sequence}
              drafts={drafts}
              step={step}
              as={as}
              onAs={setAs}
              locked={locked}
              accounts={accounts}
              problems={wrongOf(step.key)}
              onChange={(changes) => {
                setDrafts((all) => all.map((one) => (one.key === step.key ? { ...one, ...changes } : one)))
                setDirty(true)
                setRefused({ ...refused, [step.key]: [] })
              }}
              isDirty={dirty}
              stored={() => stored(step)}
              onRefused={(list) => setRefused({ ...refused, [step.key]: list })}
              onRemove={() => {
                change(without(drafts, step.key))
                setChosen(null)
              }}
            />
          ) : (
            <Empty icon={IconSitemap} title="Choose a step">
              Its text, its wait and its sender are changed here.
            </Empty>
          )}
        </div>
      </div>
    </>
  )
}

/** Whether `startProblems` names the same unknown variable. */
function isListed(step: Draft, { reason }: Problem): boolean {
  const name = /^there is no (\S+) to fill in$/.exec(reason)?.[1]
  return !!name && variablesIn(writtenIn(step)).includes(name)
}
