import { useState } from 'react'
import type { Row } from '../fields/spec'

/** The selected rows, and those that the last action refused. */
export type Selection<T extends Row> = {
  rows: Map<string, T>
  /** Reasons by the id of the row. */
  refused: Map<string, string>
  choose: (rows: Map<string, T>) => void
  /** After an action: refused rows stay selected, with the reason. */
  keepRefused: (refused: Map<string, string>) => void
  clear: () => void
}

export function useSelection<T extends Row>(): Selection<T> {
  const [rows, choose] = useState<Map<string, T>>(new Map())
  const [refused, setRefused] = useState<Map<string, string>>(new Map())
  const keepRefused = (next: Map<string, string>) => {
    choose(new Map([...rows].filter(([id]) => next.has(id))))
    setRefused(next)
  }
  return { rows, refused, choose, keepRefused, clear: () => keepRefused(new Map()) }
}
