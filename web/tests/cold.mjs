// Measures the time until the first screens are usable on a cold cache, with a new browser each time. The work of the
// page itself is measured as CPU time, which is meaningful on a busy machine, too.
//
//   RELATA_BIN=../target/release/relata npm run cold
import { browse, serve, setUp } from './support.mjs'

const TIMES = 7
const SCREENS = [
  ['sign-in', '/sign-in', (page) => page.getByRole('button', { name: 'Sign in' })],
  ['today', '/', (page) => page.getByRole('heading', { name: 'Hello Olive' })],
  ['contacts, 2,000 of them', '/contacts', (page) => page.getByRole('gridcell').first()],
]

const server = await serve()
const first = await browse(server)
await setUp(server, first.page)
server.run('demo')
const signedIn = await first.context.storageState()
await first.close()

for (const [name, path, usable] of SCREENS) {
  const [times, work] = [[], []]
  for (let time = 0; time < TIMES; time++) {
    const web = await browse(server, path === '/sign-in' ? {} : { storageState: signedIn })
    const tools = await web.context.newCDPSession(web.page)
    await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const began = performance.now()
    await web.page.goto(path, { waitUntil: 'commit' })
    await usable(web.page).waitFor()
    times.push(performance.now() - began)
    const { metrics } = await tools.send('Performance.getMetrics')
    work.push(1000 * metrics.find((one) => one.name === 'TaskDuration').value)
    await web.close()
  }
  const median = (list) => Math.round(list.sort((a, b) => a - b)[TIMES >> 1])
  console.log(
    `${name}: ${median(times)} ms, of which the page works ${median(work)} ms (all: ${times.map(Math.round).join(' ')})`,
  )
}
await server.stop()
