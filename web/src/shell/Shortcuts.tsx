import { Kbd } from '@mantine/core'
import { modals } from '@mantine/modals'
import { ALL_PLACES } from './places'

type Group = { title: string; keys: [keys: string, what: string][] }

const GROUPS: Group[] = [
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl K or /', 'Search and commands'],
      ['?', 'This list'],
      ['Esc', 'Close what is open'],
      ...ALL_PLACES.flatMap(({ key, label }): [string, string][] => (key ? [[`G ${key.toUpperCase()}`, label]] : [])),
    ],
  },
  {
    title: 'Inbox',
    keys: [
      ['J', 'Next conversation'],
      ['K', 'Previous conversation'],
      ['R', 'Reply'],
      ['E', 'Archive or reopen'],
      ['A', 'Assign'],
      ['H', 'Snooze'],
      ['U', 'Mark as unread'],
      ['Z', 'Undo the last action'],
    ],
  },
  {
    title: 'Messages and texts',
    keys: [
      ['Ctrl Enter', 'Send the message, save the note'],
      ['Esc', 'Leave the reply, for the keys of the inbox'],
      ['Ctrl B, I, U', 'Bold, italic, underline'],
      ['Ctrl K', 'Link'],
    ],
  },
  {
    title: 'Tables and boards',
    keys: [
      ['N', 'New record'],
      ['Arrows', 'Move'],
      ['Enter', 'Edit a cell, open a card'],
      ['Space', 'Select a row'],
      ['Shift ← →', 'Move a card to the next stage'],
      ['W, L', 'Close a deal as won or lost'],
      ['1 – 5', 'Rate a candidate'],
      ['R', 'Reject a candidate'],
    ],
  },
  {
    title: 'Queue of tasks',
    keys: [
      ['D', 'Done'],
      ['S', 'Skip'],
      ['Z', 'Tomorrow'],
      ['J, K', 'Next and previous task'],
    ],
  },
]

/** Opens the list of all keys. */
export function showShortcuts() {
  modals.open({
    title: 'Keyboard shortcuts',
    size: 'lg',
    closeButtonProps: { 'aria-label': 'Close' },
    children: (
      <div className="shortcuts">
        {GROUPS.map(({ title, keys }) => (
          <table key={title}>
            <caption>{title}</caption>
            <tbody>
              {keys.map(([press, what]) => (
                <tr key={press}>
                  <th scope="row">
                    <Kbd>{press}</Kbd>
                  </th>
                  <td>{what}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    ),
  })
}
