// How long the first screens take to be usable on a cold cache: each time a new browser, which has nothing of ours.
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
  const times = []
  for (let time = 0; time < TIMES; time++) {
    const web = await browse(server, path === '/sign-in' ? {} : { storageState: signedIn })
    const began = performance.now()
    await web.page.goto(path, { waitUntil: 'commit' })
    await usable(web.page).waitFor()
    times.push(performance.now() - began)
    await web.close()
  }
  times.sort((a, b) => a - b)
  const shown = times.map((time) => `${Math.round(time)}`).join(' ')
  console.log(`${name}: ${Math.round(times[TIMES >> 1])} ms (median of ${shown})`)
}
await server.stop()
