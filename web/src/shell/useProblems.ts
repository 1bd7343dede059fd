import { type SyntheticEvent, useState } from 'react'
import { ApiError } from '../api/client'
import { memberOf } from './problems'

/**
 * The problems of a refused request, each until its field is changed. `left` is the error without the solved ones, and
 * undefined once all are solved. A new error counts as a whole again.
 */
export function useProblems(error: unknown) {
  const [solved, setSolved] = useState<{ of: unknown; fields: string[] }>({ of: undefined, fields: [] })
  const fields = solved.of === error ? solved.fields : []
  const solve = (...more: string[]) => {
    if (error instanceof ApiError && error.problems.length > 0) setSolved({ of: error, fields: [...fields, ...more] })
  }
  return {
    left: without(error, fields),
    solve,
    /** Solves the problems at an input that was typed into or, by a click, at a select whose option was chosen. */
    solveAt: ({ type, target }: SyntheticEvent) => {
      const changed = target instanceof Element && (type !== 'click' || target.closest('[role=option]')) ? target : null
      const shown = changed && inputOf(changed)?.querySelectorAll('[data-problem]')
      const found = [...(shown ?? [])].flatMap((one) => one.getAttribute('data-problem') ?? [])
      if (found.length > 0) solve(...found)
    },
  }
}

function without(error: unknown, fields: string[]): Error | undefined {
  if (!(error instanceof ApiError) || fields.length === 0) return error instanceof Error ? error : undefined
  const left = error.problems.filter(({ field }) => !fields.includes(field) && !fields.includes(memberOf(field)))
  return left.length > 0 ? error.with(left) : undefined
}

/** The input that an element belongs to, with its label and its error. The list of a select is elsewhere on the page. */
function inputOf(element: Element): Element | null {
  const list = element.closest('[role=listbox]')
  const input = list ? document.querySelector(`[aria-controls="${list.id}"]`) : element
  return input?.closest('.mantine-InputWrapper-root') ?? null
}
