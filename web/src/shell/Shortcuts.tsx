import { Kbd } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

const KEYS: [string, string][] = [
  ['Ctrl K', 'Search and commands'],
  ['/', 'Search and commands'],
  ['?', 'This list'],
  ['G then a letter', 'Go to a screen: C contacts, O companies, D deals, P projects, T tasks, I inbox, S sequences'],
  ['N', 'New record, on a table'],
  ['Arrows', 'Move in a table or a board'],
  ['Enter', 'Edit a cell, open a card'],
  ['Space', 'Select a row'],
  ['Shift ← →', 'Move a card to the next stage'],
  ['1 – 5', 'Rate a candidate'],
  ['R', 'Reject a candidate; reply in the inbox'],
  ['J, K', 'Next and previous conversation'],
  ['E', 'Archive a conversation'],
]

export function help() {
  modals.open({
    title: 'Keyboard shortcuts',
    children: (
      <table>
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <td style={{ paddingRight: 16, whiteSpace: 'nowrap' }}>
                <Kbd>{keys}</Kbd>
              </td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ),
  })
}

/** `g` followed by a letter opens a page. */
export function useJumps(places: { to: string; key?: string }[]) {
  const navigate = useNavigate()
  useEffect(() => {
    let armed = 0
    const listen = (event: KeyboardEvent) => {
      const { target } = event
      const inField =
        target instanceof Element &&
        target.closest('input, textarea, select, [contenteditable=true], [role=dialog]') !== null
      if (inField) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'g') {
        armed = Date.now()
        return
      }
      if (Date.now() - armed > 1200) return
      armed = 0
      const place = places.find((one) => one.key === event.key)
      if (place) {
        event.preventDefault()
        event.stopPropagation()
        navigate({ to: place.to })
      }
    }
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [navigate, places])
}
