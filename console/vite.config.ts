import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from '../scripts/precompress.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), tailwindcss(), precompress('fast')],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // nothing inline, so that the content security policy needs neither `data:` fonts nor hashes
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files instead of many small ones: what most pages load, and what a tenant's overview needs besides.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 30, priority: 2 },
            {
              name: 'tenant',
              test: /console\/(frame\/TenantLayout|overview\/Overview|traffic\/RefusalCode)\.tsx$/,
              priority: 1,
            },
            { name: 'staff', test: /console\/staff\/(ReasonField|StaffParts)\.tsx$/, priority: 1 },
            { name: 'setup', test: /console\/(onboarding\/steps|sites\/snippets)\.ts$/, priority: 1 },
            { name: 'forms', test: /console\/ui\/form\/(Form|FormSheet)\.tsx$/, priority: 1 },
            { name: 'policy', test: /(contract\/sitePolicy|sites\/solveTimes)\.ts$/, priority: 1 },
          ],
        },
      },
    },
    // for scripts/budgets.ts
    manifest: true,
    // The first browsers with light-dark(); for older ones it would be rewritten into twice the variables.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  // with the slash, because `/trpc.ts` is a module of the console
  server: { proxy: { '^/(trpc|auth|dev|docs)/': 'http://localhost:3000' } },
})
