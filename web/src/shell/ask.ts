import type { ReactNode } from 'react'

export type Question = {
  /** The question: `Archive “First contact”?` */
  title: string
  /** The consequences. */
  text?: ReactNode
  /** The label of the button that confirms, a verb. */
  action: string
  cancel?: string
  /** Something is lost: the focus starts on the button that cancels. */
  danger?: boolean
}

export type OpenQuestion = Question & { answer: (yes: boolean) => void }

let show: ((question: OpenQuestion) => void) | undefined

/** Registers the dialog that shows questions; returns a function that unregisters it. */
export function onQuestion(handler: (question: OpenQuestion) => void): () => void {
  show = handler
  return () => {
    if (show === handler) show = undefined
  }
}

/**
 * Asks the user and waits for the answer. Enter confirms, but keeps what a confirmation would destroy; Escape cancels; the
 * focus returns to where it was.
 */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((answer) => (show ? show({ ...question, answer }) : answer(false)))
