import { TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, type Ref, useMemo } from 'react'
import { halfWritten } from './braces'

export type IsVariable = (name: string) => boolean

/** Keyboard users need time to write the last brace. */
const PAUSE = 700

const NONE: IsVariable = () => false

/** What is wrong with the braces of a text, shortly after the last key press; empty if nothing is. */
export function useBraceWarning(text: string, isVariable = NONE): string {
  const [written] = useDebouncedValue(text, PAUSE)
  const names = useMemo(() => halfWritten(written, isVariable), [written, isVariable])
  if (names.length === 0) return ''
  const listed = names.map((name) => `“${name}”`).join(', ')
  const lack =
    names.length === 1 ? 'has a brace too few and is sent as it is' : 'have a brace too few and are sent as they are'
  return `${listed} ${lack} written. Write two braces on both sides: {{ ${names[0]} }}`
}

/** A warning below its field, as its description. */
export const Warning = ({ children }: { children: ReactNode }) => (
  <span style={{ display: 'block', color: 'var(--r-warn)' }}>{children}</span>
)

/** Reads a warning out when it appears. A description alone is read when its field gets the focus. */
export const Announced = ({ text }: { text: string }) => <VisuallyHidden role="status">{text}</VisuallyHidden>

/** The description of a field is below it, so that a warning does not move the field while somebody types. */
export const WARNING_BELOW: TextInputProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error']

type SubjectProps = Omit<TextInputProps, 'label' | 'value'> & {
  label: string
  value: string
  isVariable: IsVariable
  ref?: Ref<HTMLInputElement>
}

/** The subject of an email; warns of variables with a brace too few. */
export function SubjectInput({ isVariable, description, ...rest }: SubjectProps) {
  const warning = useBraceWarning(rest.value, isVariable)
  const below = warning ? (
    <>
      {description}
      <Warning>{warning}</Warning>
    </>
  ) : (
    description
  )
  return (
    <div>
      <TextInput {...rest} inputWrapperOrder={WARNING_BELOW} description={below} />
      <Announced text={warning && `${rest.label}: ${warning}`} />
    </div>
  )
}
