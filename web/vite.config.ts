import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// `npm run dev` serves the sources and hands everything else to a running `relata serve`.
const server = process.env.RELATA_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  // One style sheet: a screen whose code had to be requested again would lack its own.
  build: {
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
  },
  server: { proxy: { '/api': server, '/dashboard': server, '/docs': server } },
})
