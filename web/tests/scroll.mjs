// Measures the time until the rows of a long table are shown after a jump, on an existing data folder: the bench keeps
// one with a million contacts in target/bench/sqlite-people-1000000. The dashboard is set up in it, so use a copy.
//
//   RELATA_BIN=../target/release/relata npm run scroll FOLDER
import { browse, serveIn, setUp } from './support.mjs'

const JUMPS = 15
const LISTS = [
  ['newest first', '/contacts'],
  ['by last name', '/contacts?sort=last_name'],
  ['of one status', '/contacts?global_status=eq.new'],
]

const server = await serveIn(process.argv[2])
const web = await browse(server)
const { page } = web
const [, owner] = server.run('members', 'list').split('\t')
const { hash } = new URL(server.run('members', 'reset-password', '--email', owner))
await setUp({ setup: `/setup${hash}` }, page)

for (const [name, path] of LISTS) {
  const began = performance.now()
  await page.goto(path)
  await page.getByRole('grid').getByRole('button').first().waitFor()
  const first = Math.round(performance.now() - began)
  const grid = page.getByRole('grid')
  await page.waitForFunction(() => Number(document.querySelector('[role=grid]')?.ariaRowCount) > 1)
  const rows = Number(await grid.getAttribute('aria-rowcount')) - 1
  const times = []
  for (let jump = 1; jump <= JUMPS; jump++) {
    // Measured in the page itself: from the release of the scroll bar to the frame in which every visible row has its
    // name.
    const time = await page.evaluate(
      async (part) => {
        const box = document.querySelector('[role=grid]').parentElement
        const view = box.getBoundingClientRect()
        const began = performance.now()
        box.scrollTop = part * (box.scrollHeight - box.clientHeight)
        const whole = () => {
          const shown = [...box.querySelectorAll('[role=row][aria-rowindex]')].filter((row) => {
            const place = row.getBoundingClientRect()
            return place.bottom > view.top + 40 && place.top < view.bottom
          })
          return shown.length > 5 && shown.every((row) => row.querySelector('[data-cell] button')?.innerText.trim())
        }
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        while (!whole()) await new Promise((resolve) => requestAnimationFrame(resolve))
        return performance.now() - began
      },
      (jump * 0.61803) % 1,
    )
    times.push(time)
  }
  times.sort((a, b) => a - b)
  console.log(
    `${name}: ${rows} rows, first after ${first} ms; after a jump ${Math.round(times[JUMPS >> 1])} ms (median), ${Math.round(times.at(-1))} ms (longest of ${JUMPS})`,
  )
}
await web.close()
await server.stop()
