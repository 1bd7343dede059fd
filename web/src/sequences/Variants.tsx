import { Button, Group, NumberInput, Tabs, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Draft, letterOf, newKey, share, type VariantDraft } from './steps'

/** How many variants a step can have. */
const MOST = 5

type Props = {
  step: Draft
  /** The index of the shown variant. */
  at: number
  onShow: (at: number) => void
  locked: boolean
  /** Whether something is wrong with the variant at an index. */
  isWrong: (at: number) => boolean
  wrong: (field: string) => ReactNode
  onChange: (changes: Partial<Draft>) => void
}

/** The variants of a step as tabs, with the name and the weight of the shown one. */
export function Variants({ step, at, onShow, locked, isWrong, wrong, onChange }: Props) {
  const { variants } = step
  const variant = variants[at]
  const set = (changes: Partial<VariantDraft>) =>
    onChange({ variants: variants.map((one, index) => (index === at ? { ...one, ...changes } : one)) })
  if (!variant) return null
  return (
    <Tabs value={String(at)} onChange={(next) => onShow(Number(next))} keepMounted={false}>
      <Tabs.List aria-label="Variants">
        {variants.map((one, index) => (
          <Tabs.Tab key={one.key} value={String(index)} aria-label={`Variant ${letterOf(index)}`}>
            {letterOf(index)} {share(variants, index)} %{isWrong(index) && ' ⚠'}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={String(at)} pt="sm">
        <Group grow gap="sm" align="flex-start">
          <TextInput
            label="Variant name"
            placeholder={letterOf(at)}
            disabled={locked}
            error={wrong('variant_name')}
            value={variant.name ?? ''}
            onChange={(event) => set({ name: event.currentTarget.value || null })}
          />
          <NumberInput
            label="Weight"
            description={`${share(variants, at)} % of the contacts get it`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={1}
            max={100}
            allowDecimal={false}
            disabled={locked}
            error={wrong('weight')}
            value={variant.weight}
            onChange={(weight) => set({ weight: Number(weight) || 1 })}
          />
        </Group>
      </Tabs.Panel>
    </Tabs>
  )
}

/** Adds and removes variants. The first one that is added gets the text of the step. */
export function VariantActions({ step, at, onShow, onChange }: Pick<Props, 'step' | 'at' | 'onShow' | 'onChange'>) {
  const { variants, subject, body } = step
  const add = () => {
    const made = (text: Pick<VariantDraft, 'subject' | 'body'>): VariantDraft => ({
      key: newKey(),
      name: null,
      weight: 1,
      subject: text.subject,
      body: text.body,
    })
    const before = variants.length ? variants : [made({ subject, body })]
    // It begins with the text of the shown one, so that only the difference has to be written.
    onChange({ variants: [...before, made(before[at] ?? before[0])], subject: null, body: null })
    onShow(before.length)
  }
  const drop = () => {
    const left = variants.filter((_, index) => index !== at)
    onChange(left.length > 1 ? { variants: left } : { variants: [], subject: left[0].subject, body: left[0].body })
    onShow(Math.max(0, at - 1))
  }
  return (
    <Group gap={4}>
      {variants.length < MOST && (
        <Button size="compact-xs" variant="default" onClick={add}>
          Add variant
        </Button>
      )}
      {variants.length > 0 && (
        <Button size="compact-xs" variant="default" onClick={drop}>
          Remove variant {letterOf(at)}
        </Button>
      )}
    </Group>
  )
}
