import type { ReactNode, Ref, RefObject } from 'react'
import type { IsVariable } from './BraceWarning'

/** The input of a text, formatted or not. */
export type TextField = {
  focus: () => void
  /** Puts a text, or a piece of HTML, at the place of the cursor. */
  insert: (text: string, isMarkup?: boolean) => void
  /** Puts a text as a paragraph of its own at the place of the cursor. */
  insertParagraph: (text: string) => void
}

export type TextEditorProps = {
  handle: Ref<TextField>
  label: string
  /** Otherwise the label is for screen readers. */
  isLabelShown: boolean
  /** Whether the text can be formatted. */
  formats: boolean
  minRows: number
  maxRows: number
  value: string
  onChange: (value: string) => void
  onFocus?: () => void
  /** Which names are filled in: a text with one that has a brace too few gets a warning. */
  isVariable?: IsVariable
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  placeholder?: string
  /** It has the focus when its dialog opens. */
  isFirst?: boolean
}

/** The cursor of the field that the editor replaces when it is loaded; none if nobody has been in the field. */
export type Cursor = { at: number; isFocused: boolean }

export type InputProps = Omit<TextEditorProps, 'isVariable'> & { warning: string }

export type FormattedProps = InputProps & {
  carried: RefObject<Cursor | null>
  onSource: () => void
}
