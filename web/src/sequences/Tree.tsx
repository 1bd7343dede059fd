import { Button, Group, Menu, Text } from '@mantine/core'
import { IconMail, IconMessage, IconPhone, IconPlus, IconSubtask, IconUserPlus } from '@tabler/icons-react'
import { plainText } from '../compose/formatted'
import { WHOLE_SEQUENCE_CHOICES } from '../generated/fields'
import classes from './sequences.module.css'
import { CONDITIONS, childrenOf, type Draft, mainSteps, type StepType, typeOf } from './steps'

const ICONS: Record<string, typeof IconMail> = {
  email: IconMail,
  network_connect: IconUserPlus,
  call: IconPhone,
  task: IconSubtask,
}

type Props = {
  drafts: Draft[]
  chosen: string | null
  /** The keys of the steps that have a problem. */
  marked: ReadonlySet<string | null>
  locked: boolean
  branching: boolean
  onChoose: (key: string) => void
  /** Adds a step after `after` on the same path, or as a branch below it. */
  onAdd: (type: StepType, place: { after?: string; below?: string }) => void
}

/** The steps of a sequence: the main path downwards, branches to the right of their step. */
export function Tree(props: Props) {
  const steps = mainSteps(props.drafts)
  return (
    <div className={classes.tree} role="group" aria-label="Steps">
      {steps.map((step, index) => (
        <Node key={step.key} step={step} first={index === 0} {...props} />
      ))}
      {!props.locked && (
        <Add
          label={steps.length ? 'Add step' : 'Add the first step'}
          onAdd={(type) => props.onAdd(type, { after: steps.at(-1)?.key })}
        />
      )}
    </div>
  )
}

function wait(step: Draft, first: boolean): string {
  const parts = []
  if (step.delay_days) parts.push(`${step.delay_days} ${step.delay_days === 1 ? 'day' : 'days'}`)
  if (step.delay_hours) parts.push(`${step.delay_hours} h`)
  if (parts.length === 0) return first ? 'As soon as enrolled' : 'Right after'
  return `After ${parts.join(' ')}`
}

const firstTextOf = ({ variants: [first] }: Draft) => first.subject || plainText(first.body ?? '').slice(0, 80)

function Node({ step, first, ...props }: Props & { step: Draft; first: boolean }) {
  const branches = childrenOf(props.drafts, step.key)
  const conditional = branches.filter((one) => one.branch_condition)
  const following = branches.filter((one) => !one.branch_condition)
  const Icon = ICONS[step.type] ?? IconMessage
  const isMarked = props.marked.has(step.key)
  return (
    <div className={classes.node}>
      <div className={classes.wait}>{wait(step, first && !step.parent_step_id)}</div>
      <button
        type="button"
        aria-pressed={props.chosen === step.key}
        className={classes.step}
        data-active={props.chosen === step.key || undefined}
        data-problem={isMarked || undefined}
        onClick={() => props.onChoose(step.key)}
      >
        <Group gap={8} wrap="nowrap">
          <Icon size={16} />
          <Text fw={600} className="grow cut">
            {step.name || typeOf(step.type).label}
          </Text>
          {step.execution_mode === 'manual' && <span className="tag">by hand</span>}
          {isMarked && (
            <span role="img" aria-label="Something is missing">
              ⚠
            </span>
          )}
        </Group>
        <Text size="xs" c="dimmed" className="cut">
          {(step.variants.length > 0 && `${step.variants.length} variants: ${firstTextOf(step)}`) ||
            step.subject ||
            (step.type === 'email' ? plainText(step.body ?? '') : step.body)?.slice(0, 80) ||
            (step.type === 'email' ? 'Answers in the thread' : typeOf(step.type).label)}
        </Text>
      </button>
      {(conditional.length > 0 || (props.branching && !props.locked)) && (
        <div className={classes.branches}>
          {conditional.map((branch) => (
            <div key={branch.key} className={classes.branch}>
              <span className={classes.when}>
                {CONDITIONS[branch.branch_condition?.type ?? 'otherwise']}
                {branch.branch_condition?.after_days ? ` within ${branch.branch_condition.after_days} days` : ''}
              </span>
              <Node {...props} step={branch} first={false} />
            </div>
          ))}
          {props.branching && !props.locked && (
            <Add label="Add branch" onAdd={(type) => props.onAdd(type, { below: step.key })} />
          )}
        </div>
      )}
      {following.map((next) => (
        <Node key={next.key} {...props} step={next} first={false} />
      ))}
      {step.parent_step_id && following.length === 0 && !props.locked && (
        <Add label="Then" onAdd={(type) => props.onAdd(type, { after: step.key })} />
      )}
    </div>
  )
}

function Add({ label, onAdd }: { label: string; onAdd: (type: StepType) => void }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={12} />}
          my={6}
          style={{ alignSelf: 'flex-start' }}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {WHOLE_SEQUENCE_CHOICES['steps.type'].map((type) => (
          <Menu.Item key={type} onClick={() => onAdd(type)}>
            {typeOf(type).label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
